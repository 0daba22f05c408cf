//! Z3's C interface, loaded at run time: the only unsafe code of the crate.
//!
//! A text in SMT-LIB goes in, the text of the answers comes out. Making a context costs Z3 far more than most questions
//! do, so one is kept for the easy ones; a hard one gets a context of its own, in which Z3 has more ways to answer.
//! Z3's default error handler ends the process; ours does nothing, and errors show as text instead.

use libloading::{Library, Symbol};
use std::ffi::{CStr, CString, OsStr, c_char, c_uint, c_void};
use std::sync::{Mutex, PoisonError};

type Config = *mut c_void;
type Handle = *mut c_void;
type ErrorHandler = extern "C" fn(Handle, c_uint);

pub(super) struct Z3 {
    /// For easy questions. It goes before the library.
    kept: Mutex<Option<Context>>,
    library: Library,
}

/// A context of Z3.
struct Context {
    handle: Handle,
    evaluate: unsafe extern "C" fn(Handle, *const c_char) -> *const c_char,
    drop: unsafe extern "C" fn(Handle),
}

extern "C" fn ignore_error(_: Handle, _: c_uint) {}

#[expect(unsafe_code, reason = "Z3 is a C library that is looked up at run time")]
impl Z3 {
    /// The reason in words if the file is no usable Z3.
    pub(super) fn load(path: &OsStr) -> Result<Z3, String> {
        // SAFETY: loading runs the library's initialisers. The path is one the user named, a system library or
        // the `z3-solver` package of the user's own environment, as trusted as a linked library.
        let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
        let z3 = Z3 { kept: Mutex::default(), library };
        z3.function::<unsafe extern "C" fn(Handle, *const c_char) -> *const c_char>(
            b"Z3_eval_smtlib2_string\0",
        )
        .ok_or("it has no Z3_eval_smtlib2_string")?;
        Ok(z3)
    }

    fn function<F: Copy>(&self, name: &[u8]) -> Option<F> {
        // SAFETY: every caller names the type that z3_api.h declares for the function; that header has kept
        // these signatures since Z3 4.0.
        unsafe { self.library.get::<F>(name) }.ok().map(|symbol: Symbol<'_, F>| *symbol)
    }

    /// Runs a script that knows nothing of earlier ones. `None` if that failed in a way that Z3 has no words for.
    pub(super) fn run(&self, script: &str) -> Option<String> {
        self.run_in_kept(script).or_else(|| self.new_context()?.evaluate(&CString::new(script).ok()?))
    }
    /// Runs a script in the context that is kept. `None` if the question is too hard there, or something went wrong.
    fn run_in_kept(&self, script: &str) -> Option<String> {
        const DONE: &str = "all is forgotten again";
        let script = CString::new(format!("(push)\n{script}\n(pop)\n(echo \"{DONE}\")")).ok()?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Unless all goes well, the next question does not meet what this one left.
        let context = match kept.take() {
            Some(context) => context,
            None => self.new_context()?,
        };
        let answer = context.evaluate(&script)?;
        let answer = answer.trim_end().strip_suffix(DONE)?;
        if answer.contains("(error") {
            return None;
        }
        *kept = Some(context);
        (answer.starts_with("sat") || answer.starts_with("unsat")).then(|| answer.to_owned())
    }

    fn new_context(&self) -> Option<Context> {
        let new_config: unsafe extern "C" fn() -> Config = self.function(b"Z3_mk_config\0")?;
        let drop_config: unsafe extern "C" fn(Config) = self.function(b"Z3_del_config\0")?;
        let new_context: unsafe extern "C" fn(Config) -> Handle = self.function(b"Z3_mk_context\0")?;
        let on_error: unsafe extern "C" fn(Handle, Option<ErrorHandler>) =
            self.function(b"Z3_set_error_handler\0")?;
        let (evaluate, drop) =
            (self.function(b"Z3_eval_smtlib2_string\0")?, self.function(b"Z3_del_context\0")?);
        // SAFETY: the calls follow z3_api.h. The configuration is dropped once, after the context was made of it; the
        // handler is a static function that does not unwind.
        unsafe {
            let config = new_config();
            if config.is_null() {
                return None;
            }
            let handle = new_context(config);
            drop_config(config);
            if handle.is_null() {
                return None;
            }
            on_error(handle, Some(ignore_error));
            Some(Context { handle, evaluate, drop })
        }
    }
}

#[expect(unsafe_code, reason = "Z3 is a C library that is looked up at run time")]
impl Context {
    fn evaluate(&self, script: &CStr) -> Option<String> {
        // SAFETY: as z3_api.h says; the script outlives the call, and the answer is owned by the context and copied
        // before anything else is asked.
        unsafe {
            let answer = (self.evaluate)(self.handle, script.as_ptr());
            (!answer.is_null()).then(|| CStr::from_ptr(answer).to_string_lossy().into_owned())
        }
    }
}

#[expect(unsafe_code, reason = "Z3 is a C library that is looked up at run time")]
impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by `new_context`, dropped once; the library is still loaded, because it is dropped later.
        unsafe { (self.drop)(self.handle) }
    }
}

// SAFETY: a context may be used by any thread, as long as it is one at a time, which the lock around it sees to.
#[expect(unsafe_code, reason = "Z3 is a C library that is looked up at run time")]
unsafe impl Send for Context {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever text goes in, the process lives on and Z3 can still be asked.
    #[test]
    fn malformed_scripts_are_answered_with_words() {
        let Some(path) = std::env::var_os("TENSORVET_Z3") else {
            println!("skipped: TENSORVET_Z3 is not set");
            return;
        };
        let z3 = Z3::load(&path).unwrap();
        for script in [
            "(assert",
            ")))",
            "(assert (foo 1))",
            "(declare-const x Int)(assert (= x true))(check-sat)",
            "(get-value (x))",
            "(check-sat)(get-value (1))",
            "\u{1F980} \"unterminated",
            "(set-option :no-such-option 1)",
            "(pop 3)",
            "(exit)(check-sat)",
        ] {
            let answer = z3.run(script);
            println!("{script:?}: {answer:?}");
            assert_eq!(z3.run("(check-sat)").as_deref().map(str::trim), Some("sat"), "after {script:?}");
        }
        assert!(z3.run("(assert\0)").is_none());
    }

    #[test]
    fn a_file_that_is_no_library_is_refused() {
        assert!(Z3::load(OsStr::new("/dev/null")).is_err());
        assert!(Z3::load(OsStr::new("no such library")).is_err());
    }
}
