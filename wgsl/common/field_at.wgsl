// The field of the faces at a point.
//!include common/hat

//!gather face

fn field_at(x: vec3<f32>) -> vec3<f32> {
    var u = vec3<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let corners = corners_around(x, face_shift(axis));
        var sum = 0.0;
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            sum += w.x * w.y * w.z * face_at(corner_cell(corners, k))[axis];
        }
        u[axis] = sum;
    }
    return u;
}
