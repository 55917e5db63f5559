import Glibc

/// Several pieces of work, measured in turn so that a machine whose speed drifts is fair to all of them.
enum Rounds {
    /// The median nanoseconds of processor time that each piece of work takes for one of its `units`.
    static func nanoseconds(_ rounds: Int, units: Int, repetitions: Int, _ work: [() -> Void]) -> [Double] {
        var times = work.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, piece) in work.enumerated() {
                let start = processorTime()
                for _ in 0..<repetitions { piece() }
                let taken = processorTime() - start
                // The first round warms up.
                if round > 0 { times[index].append(taken / Double(units * repetitions)) }
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }

    /// Nanoseconds that this thread has spent on a processor.
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
