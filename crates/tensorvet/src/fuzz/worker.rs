//! A process with the framework in it, and a child of it that answers. The child may crash: it is replaced. It may hang:
//! all is started again. Either way the case says so.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Importing a framework takes no longer, unless the machine is so busy that it waits for its turn.
const START: Duration = Duration::from_secs(120);
/// Frameworks keep something of every model; a process that ran so many is replaced.
const MOST_CASES: usize = 2000;
/// So many times its time may a process wait that computes nothing.
const MOST_WAITING: u32 = 6;
/// Of what a process complains about, the end.
const MOST_COMPLAINTS: usize = 4000;

pub struct Worker {
    command: Box<dyn Fn() -> Command>,
    limit: Duration,
    process: Option<Process>,
    /// What it says of itself when it starts.
    pub hello: Value,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    complaints: Arc<Mutex<String>>,
    listener: JoinHandle<()>,
    cases: usize,
    /// The one that computes, if it is not the process itself.
    child_id: Option<u64>,
}

/// The way in which a process was at work, and the call.
#[derive(Default)]
pub struct At {
    pub way: Option<String>,
    pub call: Option<usize>,
}

/// What became of a question.
pub enum Answer {
    Told(Value),
    /// The process died, or did not answer in time; and what it was at.
    Died {
        how: String,
        at: At,
    },
    Hung {
        at: At,
    },
}

impl Worker {
    /// Starts a script of ours. The error says what the environment lacks.
    pub fn start(
        python: &Path,
        script: &'static str,
        variables: Vec<(&'static str, String)>,
        limit: Duration,
    ) -> Result<Worker> {
        let python: PathBuf = python.to_owned();
        let command = move || {
            let mut command = Command::new(&python);
            command.args(["-c", script]).envs(variables.iter().map(|(name, value)| (name, value.as_str())));
            let quiet =
                [("CUDA_VISIBLE_DEVICES", "-1"), ("TF_CPP_MIN_LOG_LEVEL", "3"), ("OMP_NUM_THREADS", "1")];
            let threads = [("TF_NUM_INTRAOP_THREADS", "1"), ("TF_NUM_INTEROP_THREADS", "1")];
            command.envs(quiet).envs(threads);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let mut worker = Worker { command: Box::new(command), limit, process: None, hello: Value::Null };
        worker.begin()?;
        Ok(worker)
    }

    fn begin(&mut self) -> Result<()> {
        let mut command = (self.command)();
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command.spawn().with_context(|| format!("{program} cannot be started"))?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            bail!("{program} has no pipes");
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let complaints = Arc::new(Mutex::new(String::new()));
        let heard = complaints.clone();
        let listener = std::thread::spawn(move || listen(errors, &heard));
        let mut process = Process { child, input, lines, complaints, listener, cases: 0, child_id: None };
        let hello = match process.next_line(START, Some(0.0)) {
            Ok(line) => serde_json::from_str(&line).unwrap_or(Value::Null),
            Err(_) => {
                let how = process.end();
                bail!("{program} does not answer: {how}");
            }
        };
        if let Some(missing) = hello["missing"].as_str() {
            bail!("{program} lacks what the backend needs: {missing}");
        }
        if !hello["versions"].is_object() {
            bail!("{program} says nothing that is understood");
        }
        self.hello = hello;
        self.process = Some(process);
        Ok(())
    }

    /// Asks one question; a process that died is replaced first.
    pub fn ask(&mut self, question: &Value) -> Result<Answer> {
        if self.process.as_ref().is_some_and(|process| process.cases >= MOST_CASES) {
            self.stop();
        }
        if self.process.is_none() {
            self.begin()?;
        }
        let Some(process) = &mut self.process else { bail!("the worker does not run") };
        process.cases += 1;
        let mut at = At::default();
        let written = writeln!(process.input, "{question}").and_then(|()| process.input.flush());
        let mut spent = process.seconds();
        while written.is_ok() {
            match process.next_line(self.limit, spent) {
                Ok(line) => {
                    let told: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
                    if let Some(id) = told["pid"].as_u64() {
                        process.child_id = Some(id);
                        process.forget_complaints();
                        spent = process.seconds();
                        continue;
                    }
                    if let Some(how) = told["died"].as_str() {
                        wait_shortly(|| process.has_complained());
                        return Ok(Answer::Died { how: process.with_complaint(how), at });
                    }
                    match told["way"].as_str() {
                        Some(way) => {
                            let call = told["call"].as_u64().map(|call| call as usize);
                            at = At { way: Some(way.to_string()), call };
                        }
                        None => return Ok(Answer::Told(told)),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.stop();
                    return Ok(Answer::Hung { at });
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let how = self.process.take().map(|mut process| process.end()).unwrap_or_default();
        Ok(Answer::Died { how, at })
    }

    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.end();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Process {
    /// What it says next, within a time of its own since it had spent so much: on a busy machine it may only wait for
    /// its turn.
    fn next_line(&self, limit: Duration, spent: Option<f64>) -> Result<String, RecvTimeoutError> {
        let start = Instant::now();
        let mut wait = limit;
        loop {
            match self.lines.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => {
                    let (Some(before), Some(now)) = (spent, self.seconds()) else {
                        return Err(RecvTimeoutError::Timeout);
                    };
                    if start.elapsed() >= MOST_WAITING * limit || now - before >= limit.as_secs_f64() {
                        return Err(RecvTimeoutError::Timeout);
                    }
                    wait = Duration::from_secs(1);
                }
                other => return other,
            }
        }
    }

    /// CPU seconds so far, where the system tells them.
    fn seconds(&self) -> Option<f64> {
        let id = self.child_id.unwrap_or(self.child.id().into());
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // After the name in parentheses; a second has a hundred ticks.
        let fields = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2);
        Some(fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0)
    }

    /// Ends it if it still runs, and says how it ended.
    fn end(&mut self) -> String {
        // One that is dying is given the time to do so, for its exit code.
        let mut status = None;
        wait_shortly(|| {
            status = self.child.try_wait().ok().flatten();
            status.is_some()
        });
        if status.is_none() {
            let _ = self.child.kill();
            status = self.child.wait().ok();
        }
        // Its last words may still be on their way; a process that it left behind may hold the pipe open.
        wait_shortly(|| self.listener.is_finished());
        let status = status.map_or("no status".to_string(), |status| status.to_string());
        self.with_complaint(&status)
    }

    /// How it ended, with what it complained about last.
    fn with_complaint(&self, how: &str) -> String {
        let complaints = self.complaints.lock().map(|text| text.clone()).unwrap_or_default();
        match complaints.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(last) => format!("{how}: {last}"),
            None => how.to_string(),
        }
    }

    fn has_complained(&self) -> bool {
        self.complaints.lock().is_ok_and(|text| !text.is_empty())
    }

    /// What the one before complained about says nothing of the next.
    fn forget_complaints(&self) {
        if let Ok(mut text) = self.complaints.lock() {
            text.clear();
        }
    }
}

/// Until something is so, but not for long.
fn wait_shortly(mut is_so: impl FnMut() -> bool) {
    for _ in 0..20 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn listen(mut errors: impl Read, heard: &Mutex<String>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let Ok(mut text) = heard.lock() else { return };
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if text.len() > 2 * MOST_COMPLAINTS {
            let mut from = text.len() - MOST_COMPLAINTS;
            while !text.is_char_boundary(from) {
                from += 1;
            }
            text.drain(..from);
        }
    }
}
