//! Foam, spray and bubbles (`wgsl/foam/`; Ihmsen et al. 2012).

use std::f64::consts::TAU;

use glam::DVec3;
use meniscus_methods::foam::{
    FOAM_BORN, FOAM_BUBBLE, FOAM_COUNT, FOAM_DEMAND, FOAM_DIED, FOAM_ELAPSED, FOAM_END, FOAM_FIRST,
    FOAM_FOAM, FOAM_MOST_BIRTHS, FOAM_SHARE, FOAM_SIZES, FOAM_SPRAY, FOAM_STEP, FOAM_STEPS,
    FOAM_THINNED,
};
use meniscus_model::params::{KIND_FLUID, LOOK_LIQUID};

use crate::World;
use crate::body::posed;
use crate::kernels::{COINCIDENT, Kernels};
use crate::solid::{contact, distinct_walls, relative_velocity, walls};
use crate::space::{displacement, wrap, xyz};
use crate::tension::vector;
use crate::world::is_kind;

/// Least h |∇c| of a particle with a normal.
const STEEP: f64 = 0.5;

fn word(world: &World, word: u32) -> u32 {
    world.words("foam_state")[word as usize]
}

fn set(world: &mut World, word: u32, value: u32) {
    world.words_mut("foam_state")[word as usize] = value;
}

fn number(world: &World, name: &str) -> f64 {
    world.number(&format!("foam.{name}"))
}

/// Length of the update in s.
fn step(world: &World) -> f64 {
    f64::from(f32::from_bits(word(world, FOAM_STEP)))
}

/// Slots in use, with those of the newborn.
fn used(world: &World) -> std::ops::Range<usize> {
    0..word(world, FOAM_END).min(world.stage.element_count) as usize
}

fn set_vector(world: &mut World, name: &str, slot: usize, v: DVec3, w: f64) {
    world.floats_mut(name)[4 * slot..4 * slot + 4].copy_from_slice(&v.extend(w).to_array());
}

fn last(world: &World, name: &str, slot: usize) -> f64 {
    world.floats(name)[4 * slot + 3]
}

/// The random numbers of the shaders, which are whole numbers and their quotients by a power of two.
fn random(id: u32, step: u32, k: u32) -> f64 {
    let mixed = |mut x: u32| {
        x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
        x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
        x ^ (x >> 16)
    };
    let first = mixed(id.wrapping_add(0x9e37_79b9));
    f64::from(mixed(mixed(first.wrapping_add(step)).wrapping_add(k)) >> 8) / f64::from(1 << 24)
}

/// Whether the step updates the foam. The sum of times is computed in f32.
pub(crate) fn begin(world: &mut World) {
    let control = world.control;
    let elapsed = f32::from_bits(word(world, FOAM_ELAPSED)) + control.dt;
    let steps = word(world, FOAM_STEPS) + 1;
    let ends = control.dt >= world.params.time.frame_duration - control.time_in_frame;
    let due = control.primed == 1 && (ends || f64::from(steps) >= number(world, "every"));
    set(world, FOAM_STEPS, if due { 0 } else { steps });
    set(world, FOAM_ELAPSED, if due { 0 } else { elapsed.to_bits() });
    if due {
        set(world, FOAM_STEP, elapsed.to_bits());
        let room = world.stage.element_count - word(world, FOAM_COUNT);
        let demand = word(world, FOAM_DEMAND);
        let share = match demand {
            _ if room >= demand => 1024,
            0..0x40_0000 => room * 1024 / demand,
            _ => room / (demand / 1024),
        };
        set(world, FOAM_SHARE, share);
    }
    for k in 0..FOAM_SIZES as usize {
        world.words_mut("foam_dispatch")[3 * k + 2] = u32::from(due);
    }
}

/// Normals and trapped air of fast particles.
pub(crate) fn potential(world: &mut World) {
    world.find_pairs();
    let (kernels, h) = (Kernels::of(&world.params), f64::from(world.params.kernel.support_radius));
    let (calibration, least) = (number(world, "gradient"), number(world, "energy_low"));
    for i in world.sorted_fluid() {
        let own = xyz(world.sorted_velocity[i]);
        let (mut inward, mut air) = (DVec3::ZERO, 0.0);
        if own.length_squared() > least {
            for pair in
                world.pairs.of(i).iter().filter(|pair| pair.r > COINCIDENT * h && pair.r < h)
            {
                let volume = world.sorted_position[pair.j][3];
                inward += h * calibration * volume.abs() * kernels.pressure_gradient(pair.offset);
                if volume > 0.0 {
                    let v = own - xyz(world.sorted_velocity[pair.j]);
                    air += (v.length() - v.dot(pair.offset) / pair.r) * (1.0 - pair.r / h);
                }
            }
        }
        let normal = if inward.length() >= STEEP { -inward.normalize() } else { DVec3::ZERO };
        set_vector(world, "foam_potential", i, normal, air);
    }
}

/// Expected births.
pub(crate) fn rate(world: &mut World) {
    world.find_pairs();
    let h = f64::from(world.params.kernel.support_radius);
    let share = |world: &World, name: &str, x: f64| {
        let [low, slope] = ["low", "slope"].map(|end| number(world, &format!("{name}_{end}")));
        ((x - low) * slope).clamp(0.0, 1.0)
    };
    for i in world.sorted_fluid() {
        let v = xyz(world.sorted_velocity[i]);
        let energy = share(world, "energy", 0.5 * v.length_squared());
        let normal = vector(world, "foam_potential", i);
        let mut curvature = 0.0;
        if energy > 0.0 && v.dot(normal) > 0.0 && v.dot(normal).powi(2) >= 0.36 * v.length_squared()
        {
            let fluid = |j: usize| world.sorted_position[j][3] > 0.0;
            for pair in world.pairs.of(i).iter().filter(|pair| fluid(pair.j) && pair.r < h) {
                let other = vector(world, "foam_potential", pair.j);
                if other != DVec3::ZERO && pair.offset.dot(normal) > 0.0 {
                    curvature += (1.0 - normal.dot(other)) * (1.0 - pair.r / h);
                }
            }
        }
        let air = last(world, "foam_potential", i);
        let by_air = number(world, "air_rate") * share(world, "air", air);
        let by_crest = number(world, "crest_rate") * share(world, "crest", curvature);
        let room = f64::from(word(world, FOAM_SHARE)) / 1024.0;
        world.floats_mut("foam_rate")[i] = room * step(world) * energy * (by_air + by_crest);
    }
}

/// Births at each particle.
pub(crate) fn count(world: &mut World) {
    let live = world.control.particle_count as usize;
    for i in 0..world.stage.element_count as usize {
        let mut births = 0;
        let makes_foam =
            |who: [u32; 2]| is_kind(who, KIND_FLUID) && world.material(who).look == LOOK_LIQUID;
        if i < live && makes_foam(world.sorted_identity[i]) {
            let expected = world.floats("foam_rate")[i].min(f64::from(FOAM_MOST_BIRTHS - 1));
            let id = world.sorted_identity[i][0];
            let one_more = random(id, world.control.step, 0) < expected.fract();
            births = expected.floor() as u32 + u32::from(one_more);
        }
        world.words_mut("foam_births")[i] = births;
    }
}

/// Slots of the newborn.
pub(crate) fn room(world: &mut World) {
    let first = word(world, FOAM_COUNT);
    let births = world.words("foam_births_start")[world.params.counts.capacity as usize];
    let share = word(world, FOAM_SHARE);
    set(world, FOAM_FIRST, first);
    set(world, FOAM_END, first + births.min(world.stage.element_count - first));
    if share > 0 {
        set(world, FOAM_DEMAND, (u64::from(births) * 1024 / u64::from(share)) as u32);
    }
    if share < 1024 || births > world.stage.element_count - first {
        set(world, FOAM_THINNED, word(world, FOAM_THINNED) + 1);
    }
}

/// The newborn.
pub(crate) fn birth(world: &mut World) {
    let (first, end) = (word(world, FOAM_FIRST), word(world, FOAM_END));
    let now = world.control.step;
    for i in world.handled() {
        let (begin, after) =
            (world.words("foam_births_start")[i], world.words("foam_births_start")[i + 1]);
        let (x, v) = (xyz(world.sorted_position[i]), xyz(world.sorted_velocity[i]));
        let id = world.sorted_identity[i][0];
        let along = if v == DVec3::ZERO { DVec3::Y } else { v.normalize() };
        let [e1, e2] = across(along);
        for k in 0..(after - begin).min((end - first).saturating_sub(begin)) {
            let lane = 4 * k + 1;
            let numbers: [f64; 4] = std::array::from_fn(|j| random(id, now, lane + j as u32));
            let away = if world.params.world.dimensions == 2 {
                (2.0 * numbers[0] - 1.0) * DVec3::new(-along.y, along.x, 0.0)
            } else {
                let angle = TAU * (numbers[1] - 0.5);
                numbers[0].sqrt() * (angle.cos() * e1 + angle.sin() * e2)
            };
            let place = x + number(world, "radius") * away + numbers[2] * step(world) * v;
            let place = wrap(&world.params, place);
            let life = number(world, "lifetime") * (0.5 + numbers[3]);
            let fan = number(world, "fan") * v.length() * away;
            let slot = (first + begin + k) as usize;
            set_vector(world, "foam_position", slot, place, life);
            set_vector(world, "foam_velocity", slot, v + fan, 0.0);
            let born = word(world, FOAM_BORN) + begin + k;
            world.words_mut("foam_identity")[2 * slot..2 * slot + 2]
                .copy_from_slice(&[born, FOAM_FOAM]);
        }
    }
}

/// Two unit vectors across a third (Duff et al. 2017, “Building an orthonormal basis, revisited”).
fn across(v: DVec3) -> [DVec3; 2] {
    let sign = if v.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + v.z);
    let b = v.x * v.y * a;
    [
        DVec3::new(1.0 + sign * v.x * v.x * a, sign * b, -sign * v.x),
        DVec3::new(b, sign + v.y * v.y * a, -v.y),
    ]
}

/// The fluid around each particle.
pub(crate) fn sample(world: &mut World) {
    let (kernels, h) = (Kernels::of(&world.params), f64::from(world.params.kernel.support_radius));
    let fluid = world.sorted_fluid();
    for slot in used(world) {
        let x = vector(world, "foam_position", slot);
        let (mut velocity, mut weight, mut count) = (DVec3::ZERO, 0.0, 0.0);
        for j in &fluid {
            let r = displacement(&world.params, x, xyz(world.sorted_position[*j])).length();
            if r < h {
                velocity += kernels.density(r) * xyz(world.sorted_velocity[*j]);
                weight += kernels.density(r);
                count += 1.0;
            }
        }
        let mean = if weight > 0.0 { velocity / weight } else { DVec3::ZERO };
        set_vector(world, "foam_carrier", slot, mean, count);
    }
}

/// Least share of a ball between walls.
const LEAST_FREE: f64 = 0.2;

/// Counts as they would be without walls (`wgsl/foam/walls`).
pub(crate) fn free_of_walls(world: &mut World) {
    let h = f64::from(world.params.kernel.support_radius);
    let solids: Vec<_> =
        (0..world.params.counts.colliders as usize).map(|number| posed(world, number)).collect();
    for slot in used(world) {
        let x = vector(world, "foam_position", slot);
        let mut free = 1.0;
        for solid in &solids {
            for wall in 0..distinct_walls(&solid.collider) {
                let q = (contact(world, solid, wall, x).distance / h).clamp(-1.0, 1.0);
                // A cap of the height h − d.
                let cap = (1.0 - q).powi(2) * (2.0 + q) / 4.0;
                free *= 1.0 - cap;
            }
        }
        world.floats_mut("foam_carrier")[4 * slot + 3] /= free.max(LEAST_FREE);
    }
}

/// Kind by the number of fluid particles around it.
fn kind_by(world: &World, count: f64, before: u32, newborn: bool) -> u32 {
    let margin = if newborn { 0.0 } else { 0.1 };
    let towards =
        |kind: u32, sign: f64| if before == kind { sign * margin } else { -sign * margin };
    let most = number(world, "neighbours");
    if count < 0.2 * most * (1.0 + towards(FOAM_SPRAY, 1.0)) {
        FOAM_SPRAY
    } else if count > 0.65 * most * (1.0 + towards(FOAM_BUBBLE, -1.0)) {
        FOAM_BUBBLE
    } else {
        FOAM_FOAM
    }
}

/// Kinds, and motion by kind (`wgsl/foam/move`).
pub(crate) fn moves(world: &mut World) {
    let g = world.params.world.gravity.as_dvec3();
    for slot in used(world) {
        let newborn = slot >= word(world, FOAM_FIRST) as usize;
        let id = world.words("foam_identity")[2 * slot];
        let before = world.words("foam_identity")[2 * slot + 1];
        let kind = kind_by(world, last(world, "foam_carrier", slot), before, newborn);
        let (x, v) = (vector(world, "foam_position", slot), vector(world, "foam_velocity", slot));
        let (mut life, age) =
            (last(world, "foam_position", slot), last(world, "foam_velocity", slot));
        let carrier = vector(world, "foam_carrier", slot);
        let dt = if newborn { 0.0 } else { step(world) };
        let (next, way) = match kind {
            _ if newborn => (v, DVec3::ZERO),
            FOAM_SPRAY => {
                let next = (v + dt * g) / (1.0 + dt * number(world, "drag"));
                (next, 0.5 * dt * (v + next))
            }
            FOAM_FOAM => (carrier, dt * carrier),
            _ => {
                let pushed = v - carrier - dt * number(world, "buoyancy") * g;
                let next = carrier + pushed / (1.0 + dt * number(world, "coupling"));
                (next, dt * next)
            }
        };
        if kind == FOAM_FOAM {
            life -= dt;
        }
        let place = wrap(&world.params, x + way);
        set_vector(world, "foam_moved_position", slot, place, life);
        set_vector(world, "foam_moved_velocity", slot, next, age + dt);
        world.words_mut("foam_moved_identity")[2 * slot..2 * slot + 2].copy_from_slice(&[id, kind]);
    }
}

/// Contacts with solids, and who lives on.
pub(crate) fn collide(world: &mut World) {
    let solids: Vec<_> =
        (0..world.params.counts.colliders as usize).map(|number| posed(world, number)).collect();
    let least = 0.25 * f64::from(world.params.world.particle_radius);
    let [low, high] = [world.params.world.low, world.params.world.high].map(|x| x.as_dvec3());
    world.words_mut("foam_alive").fill(0);
    for slot in used(world) {
        let (mut x, mut v) = (
            vector(world, "foam_moved_position", slot),
            vector(world, "foam_moved_velocity", slot),
        );
        let mut life = last(world, "foam_moved_position", slot);
        let age = last(world, "foam_moved_velocity", slot);
        let mut touches = false;
        for solid in &solids {
            for wall in 0..walls(&solid.collider) {
                let contact = contact(world, solid, wall, x);
                if contact.distance < least {
                    let approach = relative_velocity(world, solid, x, v).dot(contact.normal);
                    x += (least - contact.distance) * contact.normal;
                    v -= approach.min(0.0) * contact.normal;
                    touches = true;
                }
            }
        }
        let spray = world.words("foam_moved_identity")[2 * slot + 1] == FOAM_SPRAY;
        if touches && spray && slot < word(world, FOAM_FIRST) as usize {
            life -= step(world);
        }
        let inside = x.cmpge(low).all() && x.cmple(high).all();
        set_vector(world, "foam_moved_position", slot, x, life);
        set_vector(world, "foam_moved_velocity", slot, v, age);
        world.words_mut("foam_alive")[slot] = u32::from(inside && life > 0.0);
    }
}

/// The living, in their order.
pub(crate) fn pack(world: &mut World) {
    for i in used(world) {
        let (slot, next) =
            (world.words("foam_alive_start")[i] as usize, world.words("foam_alive_start")[i + 1]);
        if next as usize == slot {
            continue;
        }
        for name in ["position", "velocity"] {
            let moved = format!("foam_moved_{name}");
            let (v, w) = (vector(world, &moved, i), last(world, &moved, i));
            set_vector(world, &format!("foam_{name}"), slot, v, w);
        }
        let who: [u32; 2] = std::array::from_fn(|k| world.words("foam_moved_identity")[2 * i + k]);
        world.words_mut("foam_identity")[2 * slot..2 * slot + 2].copy_from_slice(&who);
    }
}

/// Numbers of the live, the born and the dead.
pub(crate) fn end(world: &mut World) {
    let count = world.words("foam_alive_start")[world.stage.element_count as usize];
    let (first, end) = (word(world, FOAM_FIRST), word(world, FOAM_END));
    set(world, FOAM_BORN, word(world, FOAM_BORN) + end - first);
    set(world, FOAM_DIED, word(world, FOAM_DIED) + end - count);
    set(world, FOAM_COUNT, count);
}

/// Numbers of particles by kind.
pub(crate) fn tally(world: &mut World) {
    for slot in 0..word(world, FOAM_COUNT).min(world.stage.element_count) as usize {
        let kind = world.words("foam_identity")[2 * slot + 1] as usize;
        world.words_mut("foam_tally")[kind] += 1;
    }
}
