// Force, torque and number of contacts of a body, summed by common/body_sums.

struct BodySums {
    force: vec3<f32>,
    torque: vec3<f32>,
    count: u32,
}

fn added(a: BodySums, b: BodySums) -> BodySums {
    return BodySums(a.force + b.force, a.torque + b.torque, a.count + b.count);
}
