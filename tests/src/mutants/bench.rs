//! One pass with its devices and worlds, on which changes are tried.

use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use meniscus::{Gpu, shaders::Shaders};

use super::{Mutant, Verdict, changes::reachable};
use crate::{
    compare::{Expected, check_idle},
    device::{Flavour, open},
    fixture::{Kind, just_before},
    rows::Row,
    worlds::kinds,
};

pub(super) struct Bench {
    row: &'static Row,
    /// With subgroups and without: of its own, since a device keeps all that it ever compiled.
    gpus: Vec<Gpu>,
    kinds: Vec<Kind>,
    /// Results of the reference in each world, once they are wanted; none where the pass is not run.
    expected: Vec<Option<Option<Rc<Expected<'static>>>>>,
}

impl Bench {
    pub(super) fn new(row: &'static Row) -> Result<Self, String> {
        let gpus = [Flavour::Default, Flavour::PlainFolded].map(|flavour| open(&flavour.options()));
        let gpus: Option<Vec<Gpu>> = gpus.into_iter().collect();
        let mut kinds = kinds(row);
        // Worlds of some hundred particles notice most: they come first, and the largest last.
        kinds.sort_by_key(|kind| (kind.particles > 1000, kind.particles.abs_diff(300), kind.seed));
        let expected = kinds.iter().map(|_| None).collect();
        Ok(Self { row, gpus: gpus.ok_or("there is no GPU")?, kinds, expected })
    }

    /// How a change ends with this pass, and how long that takes.
    pub(super) fn verdict(&mut self, mutant: &Mutant) -> Result<(Verdict, Duration), String> {
        let begin = Instant::now();
        let mut shaders = Shaders::standard();
        shaders.insert(&mutant.file, &mutant.text);
        // Kernels in place of others are in the shaders of some worlds only.
        let kernel_file = mutant.file.starts_with("common/kernels_");
        let variants = [true, false].map(|subgroups| shaders.compose(self.row.pass, subgroups));
        let mut touched = [false; 2];
        for (touched, composed) in touched.iter_mut().zip(&variants) {
            let Ok(composed) = composed else { return Ok((Verdict::Untried, begin.elapsed())) };
            if composed.parse().is_err() {
                return Ok((Verdict::Untried, begin.elapsed()));
            }
            let lines = 1..=composed.wgsl.lines().count();
            let holds = lines.clone().any(|line| composed.origin(line).0 == mutant.file);
            *touched = kernel_file || (holds && reachable(&composed.wgsl).contains(&mutant.item));
        }
        if touched == [false; 2] {
            return Ok((Verdict::Untried, begin.elapsed()));
        }
        // Changes of what decides whether a pass is active are tried where it is not.
        let guards = mutant.file == "common/stage" || mutant.from.contains("is_active");
        let change = [(mutant.file.as_str(), mutant.text.clone())];
        for number in 0..self.kinds.len() {
            let Some(expected) = self.expected(number)? else { continue };
            for (gpu, touched) in self.gpus.iter().zip(touched) {
                if touched && expected.compare(gpu, &change).is_err() {
                    return Ok((Verdict::Noticed, begin.elapsed()));
                }
                if touched && guards && number == 0 {
                    let world = just_before(self.row.pass, self.kinds[0]).expect("a world");
                    if check_idle(gpu, self.row, &world, &change).is_err() {
                        return Ok((Verdict::Noticed, begin.elapsed()));
                    }
                }
            }
        }
        Ok((Verdict::Survived, begin.elapsed()))
    }

    /// The result of the reference in a world, which the pass unchanged meets.
    fn expected(&mut self, number: usize) -> Result<Option<Rc<Expected<'static>>>, String> {
        if let Some(known) = &self.expected[number] {
            return Ok(known.clone());
        }
        let world = just_before(self.row.pass, self.kinds[number]);
        let expected = world.map(|world| Rc::new(Expected::of(self.row, &world)));
        for gpu in &self.gpus {
            expected.iter().try_for_each(|expected| expected.compare(gpu, &[]).map(drop))?;
        }
        Ok(self.expected[number].insert(expected).clone())
    }
}
