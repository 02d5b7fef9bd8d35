// Signed distance of the surface by particles, from the blurred cover: that of a plane which covers so much of a bell, the hat after the
// blur. In solids it is that of the mirror image, less what the contact angle says; 0 where no wall is near.
//!include common/control
//!include common/mirror_image
//!include common/busy
//!include common/level_band

//!read blurred
//!write level_set

// Standard deviation in cells of the bell: of the hat √(1/6), of three means √(3/2).
const WIDTH = 1.2909944;
// Quantile of the normal distribution by the logistic one, as steep at ½: √(2π)/4 ln(P/(1 − P)).
const LOGIT = 0.6266571;
// Least share.
const LEAST_PART = 1e-3;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var share = blurred[c];
    var less = 0.0;
    if (params.counts.colliders > 0u) {
        less = mirror[c].w;
        if (has_image(c)) {
            let corners = image_corners(cell);
            share = 0.0;
            for (var k = 0u; k < corner_count(); k++) {
                share += image_weight(corners, k) * blurred[corner_cell(corners, k)];
            }
        }
    }
    share = clamp(share, LEAST_PART, 1.0 - LEAST_PART);
    let d = -WIDTH * LOGIT * log(share / (1.0 - share)) - less;
    level_set[c] = select(select(d, LEAST_LEVEL, d == 0.0), 0.0, less == UNKNOWN);
}
