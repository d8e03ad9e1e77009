//! scratch
use papamu::{board::Size, konane::*, run::*, search::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let size: Size = a[1].parse().unwrap();
    let mem: MemorySize = a[3].parse().unwrap();
    let engine: Engine = a.get(4).map_or("pn", |s| s).parse().unwrap();
    let rules = Rules { first_removal: FirstRemoval::Any, ..Rules::default() };
    for op in a[2].split(',') {
        let o: Opening = op.parse().unwrap();
        let p = o.position(size, &rules).unwrap();
        let s = Solver::new(size, rules.top_left, SolverOptions { engine, memory: mem }).unwrap();
        let c = Control::default();
        let r = s.solve(&p, &c);
        println!(
            "{size} {op} {:?} nodes {} time {:.3} {:.0} ns/node fill {:?}",
            r.winner,
            r.nodes,
            r.time.as_secs_f64(),
            r.time.as_nanos() as f64 / r.nodes as f64,
            s.table_fill()
        );
    }
}
