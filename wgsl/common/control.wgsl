// Control for passes that only read it: a uniform.
//!include common/params
//!include common/stage
//!include shared/control

@group(0) @binding(1) var<uniform> control: Control;
