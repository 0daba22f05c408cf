use super::*;

fn symbol(name: &str) -> Dim {
    Dim::symbol(name, 1, UNBOUNDED)
}

#[test]
fn equal_expressions_have_equal_ids() {
    let (n, m) = (symbol("N"), symbol("M"));
    assert_eq!(((n + m) * 2).id(), (2 * m + n + n).id());
    assert_eq!(((n + 1) * (n - 1)).id(), (n * n - 1).id());
    assert_eq!((n - n).known(), Some(0));
}

#[test]
fn division_folds_what_is_exact() {
    let (n, h, w) = (symbol("N"), symbol("H"), symbol("W"));
    assert_eq!((n * 3 * h * w).div_floor(n).id(), (3 * h * w).id());
    assert_eq!((n * h * w).div_floor(h * w).id(), n.id());
    assert_eq!((4 * h + 3).div_floor(4).id(), h.id());
    assert_eq!(h.div_floor(2).div_floor(2).id(), h.div_floor(4).id());
    assert_eq!((2 * h + 1).div_floor(4).to_string(), "H//2");
    assert_eq!(((h + 1).div_floor(2) + 1).div_floor(2).to_string(), "(H + 3)//4");
    assert_eq!((2 * (h.div_floor(3) + w).div_floor(2)).to_string(), "2*((H + 3*W)//6)");
    assert_eq!((1 - h.div_floor(2)).to_string(), "1 - H//2");
    assert_eq!((-h.div_floor(2)).to_string(), "-(H//2)");
    assert_eq!((n * (h + 1)).div_floor(h + 1).id(), n.id());
    assert_eq!((2 * n).div_floor(-3 * n).known(), Some(-1));
    assert_eq!((2 * n * h).div_floor(3 * n).id(), (2 * h).div_floor(3).id());
    assert_eq!((6 * n).modulo(3).known(), Some(0));
    assert_eq!(-4, Dim::from(-7i64).div_floor(2).known().unwrap());
}

#[test]
fn bounds_follow_from_ranges() {
    let n = Dim::symbol("N", 2, 10);
    assert_eq!((3 * n - 1).bounds(), (5, 29));
    assert_eq!(n.div_floor(3).bounds(), (0, 3));
    assert_eq!(n.modulo(4).bounds(), (0, 3));
    assert_eq!(n.ge(2).known(), Some(true));
    assert_eq!(n.eq(11).known(), Some(false));
    assert_eq!((2 * n).eq(7).known(), Some(false));
}

#[test]
fn overflow_is_unknown_and_never_wraps() {
    let huge = Dim::from(1i64 << 62);
    assert_eq!((huge * 4).known(), None);
    assert_eq!((huge + huge).known(), None);
    let n = symbol("N");
    assert_eq!((n * huge * 4).known(), None);
    let beyond = |dim: Dim| match dim.as_atom().map(AtomId::view) {
        Some(AtomView::Symbol(symbol)) => symbol.is_beyond_64_bits(),
        _ => false,
    };
    assert!(beyond(huge * 4) && !beyond(n));
}
