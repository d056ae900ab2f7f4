//! Steps against a gradient, each number at its own pace (D. Kingma and J. Ba, "Adam: a method for
//! stochastic optimization", 2015; the decay apart from the gradient: I. Loshchilov and F. Hutter, 2019).

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const LEAST: f32 = 1e-8;
const DECAY: f32 = 0.01;

/// What is remembered of earlier gradients.
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub fn new(count: usize) -> Adam {
        Adam {
            means: vec![0.0; count],
            squares: vec![0.0; count],
            steps: 0,
        }
    }

    /// One step of about `rate` in every number.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let mean = 1.0 - MEAN.powi(self.steps);
        let square = 1.0 - SQUARE.powi(self.steps);
        let known = self.means.iter_mut().zip(&mut self.squares);
        for ((number, slope), (m, s)) in numbers.iter_mut().zip(gradient).zip(known) {
            *m = MEAN * *m + (1.0 - MEAN) * slope;
            *s = SQUARE * *s + (1.0 - SQUARE) * slope * slope;
            let step = *m / mean / ((*s / square).sqrt() + LEAST);
            *number -= rate * (step + DECAY * *number);
        }
    }
}
