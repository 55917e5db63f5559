/// A line for each two people of a day, with the truth and what their minutes have in common: for a calibration that is
/// made elsewhere.
enum PairDump {
    /// Column names; `n86` are the minutes with a cosine of at least 0.86.
    static var header: String {
        let thresholds = MinuteComparison.thresholds.map { "n\(Int(($0 * 100).rounded()))" }.joined(separator: ",")
        return "world,seed,loss,day,one,other,within_6m_seconds,within_2m_seconds,one_room_seconds,"
            + "\(thresholds),longest_run,mean_cosine,common_minutes,strongest_minutes,centroid_minutes"
    }

    /// - Parameter run: the values of the first four columns.
    static func lines(_ run: String, _ evidence: Evidence) -> [String] {
        var lines: [String] = []
        let pairs = evidence.minutes.pairs
        for other in 0..<pairs.people {
            for one in 0..<other {
                let (times, common) = (evidence.truth[one, other], pairs[one, other])
                let near = common.near.indices.map { "\(common.near[$0])" }.joined(separator: ",")
                lines.append(
                    "\(run),\(one),\(other),\(times.within6m),\(times.within2m),"
                        + "\(evidence.truth.secondsInOneRoom(one, other)),\(near),\(common.longestRun),"
                        + "\(Table.number(common.meanCosine, 4)),\(common.minutes),\(common.sameStrongest),"
                        + "\(common.centroids)")
            }
        }
        return lines
    }
}
