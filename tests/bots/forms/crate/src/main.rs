use std::io::{self, BufRead, Write};

fn main() {
    let mut taken = [false; 400];
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut place = |text: &str| {
            let numbers: Vec<usize> = text.split(',').filter_map(|number| number.parse().ok()).collect();
            if let [x, y, ..] = numbers[..] {
                taken[20 * y + x] = true;
            }
        };
        let words: Vec<&str> = line.split(' ').collect();
        let answers = match words[0] {
            "START" => println!("OK") == (),
            "BEGIN" | "DONE" => true,
            "TURN" => place(words[1]) == (),
            "END" => return,
            _ => {
                place(words[0]);
                false
            }
        };
        if answers && words[0] != "START" {
            let free = (0..400).find(|&at| !taken[at] && at % 20 < 15).unwrap();
            taken[free] = true;
            println!("{},{}", free % 20, free / 20);
        }
        io::stdout().flush().unwrap();
    }
}
