// A heavy line that does not stretch, from an anchor on a floor to a higher point: the pull at that point along the floor and down,
// in terms of the line's weight per length (Irvine 1981, "Cable Structures", chapter 1; Faltinsen 1990, "Sea Loads", chapter 8).

// Inverse hyperbolic sine, whose accuracy WGSL leaves to the device.
fn area_sine(t: f32) -> f32 {
    let more = t * t / (1.0 + sqrt(1.0 + t * t));
    return log(1.0 + t + more);
}

// sinh(√q)/√q − 1.
fn excess_of(q: f32) -> f32 {
    if (q < 4.0) {
        return q / 6.0 * (1.0 + q / 20.0 * (1.0 + q / 42.0 * (1.0 + q / 72.0 * (1.0 + q / 110.0))));
    }
    let u = sqrt(q);
    return 0.5 * (exp(u) - exp(-u)) / u - 1.0;
}

// How far the line reaches, less what its length is beyond the height, where its lowest point rests on the floor and the pull along
// the floor is `a`: a asinh(s/a) − s + h with s² = h² + 2 h a.
fn reach_of(a: f32, h: f32) -> f32 {
    let s = sqrt(h * (h + 2.0 * a));
    return a * area_sine(s / max(a, 1e-30)) - s + h;
}

// Of a line of length `l` to a point `h` above the anchor and `x` beside it.
fn pull_of(x: f32, h: f32, l: f32) -> vec2<f32> {
    let rise = max(h, 1e-3 * l);
    if (x <= l - rise) { return vec2<f32>(0.0, rise); }
    // All of it just hangs.
    let whole = max((l * l - rise * rise) / (2.0 * rise), 1e-6 * l);
    var low = 0.0;
    var high = 1.0;
    if (x - l + rise < reach_of(whole, rise)) {
        for (var k = 0u; k < 30u; k++) {
            let middle = 0.5 * (low + high);
            if (reach_of(middle * whole, rise) < x - l + rise) { low = middle; } else { high = middle; }
        }
        let a = 0.5 * (low + high) * whole;
        return vec2<f32>(a, sqrt(rise * (rise + 2.0 * a)));
    }
    // No part lies: √(l² − h²) = 2 a sinh(x/2a), by halving q = (x/2a)², which is at most 6 times the excess.
    let excess = max(sqrt(max(l * l - rise * rise, 0.0)) / x - 1.0, 1e-5);
    let most = min(6.0 * excess, 1e3);
    for (var k = 0u; k < 30u; k++) {
        let middle = 0.5 * (low + high);
        if (excess_of(middle * most) < excess) { low = middle; } else { high = middle; }
    }
    let u = sqrt(0.5 * (low + high) * most);
    let e = exp(-2.0 * u);
    let coth = select((1.0 + e) / (1.0 - e), 1.0 / u + u / 3.0, u < 0.01);
    return vec2<f32>(0.5 * x / u, 0.5 * (l + rise * coth));
}
