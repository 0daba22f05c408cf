//! Which facts clash: subset-minimal sets of tags, found by leaving facts out.

use crate::context::Context;
use semantics::prop::Prop;

impl Context {
    /// Tags of facts that together with `prop` (and the facts without a tag) cannot hold, of which none can be
    /// left out. `None` if no contradiction was found.
    pub fn core(&mut self, prop: Prop) -> Option<Vec<u32>> {
        let stats = self.stats();
        let core = self.find_core(prop);
        // Questions asked on the way are not the user's.
        self.restore_stats(stats);
        core
    }

    fn find_core(&self, prop: Prop) -> Option<Vec<u32>> {
        let mut tags: Vec<u32> = self.facts().assumed.iter().filter_map(|(_, tag)| *tag).collect();
        tags.sort_unstable();
        tags.dedup();
        if !self.clash(prop, &tags) {
            return None;
        }
        // Halves first: most facts have nothing to do with it.
        let mut block = tags.len().div_ceil(2).max(1);
        loop {
            let mut at = 0;
            while at < tags.len() {
                let end = (at + block).min(tags.len());
                let without: Vec<u32> = tags[..at].iter().chain(&tags[end..]).copied().collect();
                if self.clash(prop, &without) {
                    tags = without;
                } else {
                    at = end;
                }
            }
            if block == 1 {
                return Some(tags);
            }
            block = block.div_ceil(2);
        }
    }

    fn clash(&self, prop: Prop, tags: &[u32]) -> bool {
        let mut context = self.emptied();
        for (fact, tag) in &self.facts().assumed {
            if tag.is_none_or(|tag| tags.binary_search(&tag).is_ok()) {
                context.assume(*fact);
            }
        }
        context.assume(prop);
        context.is_contradictory()
    }
}
