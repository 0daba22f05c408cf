//! When an analysis has to be over.
//!
//! What counts is the processor time of the thread: on a busy machine a verdict must not depend on what else runs there.

use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// Before this it cannot be over, since a thread has no more processor time than time passes. It is cheaper to ask for.
    earliest: Instant,
    processor: Duration,
}

impl Deadline {
    /// After so much time of the processor in this thread.
    pub fn after(time: Duration) -> Deadline {
        Deadline { earliest: Instant::now() + time, processor: processor_time() + time }
    }
    pub fn is_over(self) -> bool {
        Instant::now() > self.earliest && processor_time() > self.processor
    }
    /// The one that comes first.
    pub fn or_before(self, other: Option<Deadline>) -> Deadline {
        match other {
            Some(other) if other.processor < self.processor => other,
            _ => self,
        }
    }
}

/// How long the processor has worked for this thread.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Elsewhere all time counts.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_loses_nothing() {
        let soon = Deadline::after(Duration::from_millis(20));
        std::thread::sleep(Duration::from_millis(60));
        assert!(!soon.is_over());
        let begun = Instant::now();
        while !soon.is_over() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it is never over");
        }
    }

    #[test]
    fn the_first_of_two_counts() {
        let [soon, late] = [0, 1000].map(|seconds| Deadline::after(Duration::from_secs(seconds)));
        assert_eq!(late.or_before(Some(soon)).processor, soon.processor);
        assert_eq!(soon.or_before(Some(late)).processor, soon.processor);
        assert_eq!(late.or_before(None).processor, late.processor);
    }
}
