//! Chrome trace of a measurement, for <chrome://tracing> and <https://ui.perfetto.dev>.
//!
//! (wgpu-profiler's own writer has no rows for steps and submissions, and does not write files
//! atomically.)

use meniscus::PassTime;
use serde_json::{Value, json};

/// Trace with a row of submissions above a row of steps above a row of passes.
pub(super) fn chrome(steps: &[&[PassTime]]) -> String {
    let origin = steps.iter().flat_map(|step| step.first()).map(|pass| pass.start).next();
    let event = |row: u32, name: &str, start: f64, end: f64| {
        let (ts, dur) = (1e6 * (start - origin.unwrap_or(0.0)), 1e6 * (end - start));
        json!({ "name": name, "ph": "X", "ts": ts, "dur": dur, "pid": 1, "tid": row })
    };
    let row = |row: u32, name: &str| json!({ "name": "thread_name", "ph": "M", "pid": 1, "tid": row, "args": { "name": name } });
    let mut events = vec![row(1, "submissions"), row(2, "steps"), row(3, "passes")];
    let all: Vec<_> = steps.iter().copied().flatten().collect();
    for passes in all.chunk_by(|a, b| a.submission == b.submission) {
        if let [first, .., last] = passes {
            let name = format!("submission {}", first.submission);
            events.push(event(1, &name, first.start, last.end));
        }
    }
    for (number, step) in steps.iter().enumerate() {
        if let [first, .., last] = step {
            events.push(event(2, &format!("step {number}"), first.start, last.end));
        }
        events.extend(step.iter().map(|pass| event(3, &pass.label, pass.start, pass.end)));
    }
    Value::to_string(&json!({ "traceEvents": events, "displayTimeUnit": "ms" })) + "\n"
}
