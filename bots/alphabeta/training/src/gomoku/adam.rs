//! Adam: D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015, with decoupled weight decay
//! (I. Loshchilov and F. Hutter, 2019).

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const LEAST: f32 = 1e-8;
const DECAY: f32 = 0.01;

/// Moving averages of the gradients and of their squares.
pub struct Adam {
    pub means: Vec<f32>,
    pub squares: Vec<f32>,
    pub steps: i32,
}

impl Adam {
    pub fn new(count: usize) -> Adam {
        Adam {
            means: vec![0.0; count],
            squares: vec![0.0; count],
            steps: 0,
        }
    }

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
