//! The scalar functions on floats: the `f64` number domain.

use crate::scalar::{Binary, Unary};

/// The value of a float function; `None` for those that are not functions from floats to a float.
pub fn unary(function: Unary, x: f64) -> Option<f64> {
    Some(match function {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sign => {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        }
        Unary::Exp => x.exp(),
        Unary::Expm1 => x.exp_m1(),
        Unary::Ln => x.ln(),
        Unary::Log1p => x.ln_1p(),
        Unary::Sqrt => x.sqrt(),
        Unary::Reciprocal => 1.0 / x,
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        // Neither side of zero overflows or cancels.
        Unary::Sigmoid => {
            if x < 0.0 {
                x.exp() / (1.0 + x.exp())
            } else {
                1.0 / (1.0 + (-x).exp())
            }
        }
        Unary::Asinh => x.asinh(),
        Unary::Acosh => x.acosh(),
        // Near -1 the library's own loses digits, near 1 it does not.
        Unary::Atanh => x.abs().atanh().copysign(x),
        Unary::Erf => erf(x),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Trunc => x.trunc(),
        Unary::IsNan
        | Unary::IsPosInf
        | Unary::IsNegInf
        | Unary::Not
        | Unary::BitNot
        | Unary::Real
        | Unary::Imag => return None,
    })
}

/// The value of a float function of two numbers; `None` for comparisons and bit operations.
pub fn binary(function: Binary, x: f64, y: f64) -> Option<f64> {
    Some(match function {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        Binary::FloorDiv => (x / y).floor(),
        Binary::Remainder => x % y,
        Binary::Modulo => {
            let remainder = x % y;
            if remainder != 0.0 && (remainder < 0.0) != (y < 0.0) { remainder + y } else { remainder }
        }
        Binary::Pow => x.powf(y),
        Binary::Max => {
            if x.is_nan() || y.is_nan() {
                f64::NAN
            } else {
                x.max(y)
            }
        }
        Binary::Min => {
            if x.is_nan() || y.is_nan() {
                f64::NAN
            } else {
                x.min(y)
            }
        }
        Binary::Atan2 => x.atan2(y),
        _ => return None,
    })
}

/// The error function by the rational approximations of fdlibm's `s_erf.c` (relative error below 1 ulp).
pub fn erf(x: f64) -> f64 {
    let magnitude = x.abs();
    if magnitude.is_nan() {
        return x;
    }
    if magnitude < 0.84375 {
        let square = x * x;
        return x + x * (polynomial(&NEAR_ZERO.0, square) / polynomial(&NEAR_ZERO.1, square));
    }
    let result = if magnitude < 1.25 {
        // Around 1: erf(1), cut to float precision, plus a quotient in |x| - 1.
        let shifted = magnitude - 1.0;
        8.450_629_115_104_675e-1 + polynomial(&NEAR_ONE.0, shifted) / polynomial(&NEAR_ONE.1, shifted)
    } else if magnitude < 6.0 {
        let inverse = 1.0 / (magnitude * magnitude);
        let (numerator, denominator) =
            if magnitude < 1.0 / 0.35 { (&MIDDLE.0[..], &MIDDLE.1[..]) } else { (&FAR.0[..], &FAR.1[..]) };
        let quotient = polynomial(numerator, inverse) / polynomial(denominator, inverse);
        // exp(-x^2) in two factors, the first with an argument whose square is exact.
        let head = f64::from_bits(magnitude.to_bits() & 0xffff_ffff_0000_0000);
        let square = (-head * head - 0.5625).exp();
        1.0 - square * ((head - magnitude) * (head + magnitude) + quotient).exp() / magnitude
    } else {
        1.0
    };
    result.copysign(x)
}

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

/// Numerator and denominator in `x^2` for `|x| < 0.84375`.
const NEAR_ZERO: ([f64; 5], [f64; 6]) = (
    [
        1.283_791_670_955_125_6e-1,
        -3.250_421_072_470_015e-1,
        -2.848_174_957_559_851e-2,
        -5.770_270_296_489_442e-3,
        -2.376_301_665_665_016_3e-5,
    ],
    [
        1.0,
        3.979_172_239_591_553_5e-1,
        6.502_224_998_876_73e-2,
        5.081_306_281_875_766e-3,
        1.324_947_380_043_216_4e-4,
        -3.960_228_278_775_368e-6,
    ],
);
/// In `|x| - 1` for `0.84375 <= |x| < 1.25`.
const NEAR_ONE: ([f64; 7], [f64; 7]) = (
    [
        -2.362_118_560_752_659_4e-3,
        4.148_561_186_837_483_3e-1,
        -3.722_078_760_357_013e-1,
        3.183_466_199_011_617_5e-1,
        -1.108_946_942_823_966_8e-1,
        3.547_830_432_561_823_6e-2,
        -2.166_375_594_868_791e-3,
    ],
    [
        1.0,
        1.064_208_804_008_442_3e-1,
        5.403_979_177_021_71e-1,
        7.182_865_441_419_627e-2,
        1.261_712_198_087_616_4e-1,
        1.363_708_391_202_905e-2,
        1.198_449_984_679_910_7e-2,
    ],
);
/// In `1 / x^2` for `1.25 <= |x| < 1 / 0.35`.
const MIDDLE: ([f64; 8], [f64; 9]) = (
    [
        -9.864_944_034_847_148e-3,
        -6.938_585_727_071_818e-1,
        -1.055_862_622_532_329_1e1,
        -6.237_533_245_032_601e1,
        -1.623_966_694_625_734_7e2,
        -1.846_050_929_067_110_4e2,
        -8.128_743_550_630_66e1,
        -9.814_329_344_169_145,
    ],
    [
        1.0,
        1.965_127_166_743_925_7e1,
        1.376_577_541_435_190_4e2,
        4.345_658_774_752_292_3e2,
        6.453_872_717_332_679e2,
        4.290_081_400_275_678e2,
        1.086_350_055_417_794_4e2,
        6.570_249_770_319_282,
        -6.042_441_521_485_81e-2,
    ],
);
/// In `1 / x^2` for `1 / 0.35 <= |x| < 6`.
const FAR: ([f64; 7], [f64; 8]) = (
    [
        -9.864_942_924_700_1e-3,
        -7.992_832_376_805_23e-1,
        -1.775_795_491_775_475_2e1,
        -1.606_363_848_558_219_2e2,
        -6.375_664_433_683_896e2,
        -1.025_095_131_611_077_2e3,
        -4.835_191_916_086_514e2,
    ],
    [
        1.0,
        3.033_806_074_348_246e1,
        3.257_925_129_965_739e2,
        1.536_729_586_084_437e3,
        3.199_858_219_508_595_5e3,
        2.553_050_406_433_164_4e3,
        4.745_285_412_069_554e2,
        -2.244_095_244_658_582e1,
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The series with positive terms only: 2/sqrt(pi) * exp(-x^2) * sum of 2^n x^(2n+1) / (1*3*...*(2n+1)).
    fn erf_series(x: f64) -> f64 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term.abs() > sum.abs() * 1e-18 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
    }

    #[test]
    fn erf_agrees_with_its_series() {
        for step in -599..600 {
            let x = f64::from(step) / 100.0;
            assert!((erf(x) - erf_series(x)).abs() <= 3e-15 * erf(x).abs(), "erf({x})");
        }
        assert_eq!(erf(f64::INFINITY), 1.0);
        assert_eq!(erf(-7.0), -1.0);
        assert!(erf(f64::NAN).is_nan());
    }
}
