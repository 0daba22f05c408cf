//! A small generator of numbers, and the numbers worth trying.

/// SplitMix64: the same seed gives the same numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
    pub fn pick_mut<'t, T>(&mut self, items: &'t mut [T]) -> Option<&'t mut T> {
        let at = self.below(items.len());
        items.get_mut(at)
    }
    /// Mostly what sizes and axes are; sometimes where arithmetic breaks.
    pub fn integer(&mut self) -> i64 {
        const ODD: [i64; 16] = [
            i64::MAX,
            i64::MIN,
            i64::MIN + 1,
            1 << 62,
            -(1 << 62),
            1 << 31,
            (1 << 31) - 1,
            (1 << 32) + 1,
            1 << 40,
            1 << 20,
            65_536,
            1025,
            1024,
            257,
            -1025,
            100_000,
        ];
        match self.below(8) {
            0 => ODD[self.below(ODD.len())],
            1 => -1 - self.below(5) as i64,
            2 => self.below(200) as i64,
            _ => self.below(9) as i64,
        }
    }
    pub fn float(&mut self) -> f32 {
        const ODD: [f32; 10] =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1e18, 9.3e18, -1.0];
        if self.once_in(3) { ODD[self.below(ODD.len())] } else { self.below(64) as f32 / 8.0 }
    }
}
