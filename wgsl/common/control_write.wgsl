// Control for passes that write it: storage. Members that several invocations may write at once are
// atomic, with operations whose order does not matter.
//!include common/params
//!include common/stage
//!include shared/control_write

@group(0) @binding(1) var<storage, read_write> control: Control;
