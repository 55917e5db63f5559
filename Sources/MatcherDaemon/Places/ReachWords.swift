import Evidence
package import InteractionStore
import OperatorText

/// Coverage of floors by receivers in words, for the command line and the page. Pure.
package enum ReachWords {
    /// Maximum number of rooms reported per floor.
    private static let mostThin = 3
    /// Smallest share of poorly covered minutes at which a room is reported.
    private static let leastThinShare = 0.1

    /// Returns the share of badge minutes that as many receivers received: 0 for one receiver, 3 for more than three.
    package static func share(_ index: Int, of floor: InteractionStore.FloorReach) -> String {
        let total = floor.minutes.reduce(0, +)
        return total == 0 ? "-" : Format.fixed(Double(floor.minutes[index]) / Double(total) * 100, 0) + " %"
    }

    /// Returns what is wrong on a floor, each with what to do.
    package static func notes(_ floor: InteractionStore.FloorReach) -> [String] {
        var notes: [String] = []
        for receiver in floor.deaf {
            notes.append(
                "\(receiver.path): published readings but never scanned: check its adapter with beacon-gateway doctor")
        }
        if floor.receivers == 1 {
            notes.append(
                "\(floor.floor): one receiver. Contacts can be derived only from distances to its beacon, not "
                    + "from minutes together: add a gateway or a scanning module")
        } else {
            for (receiver, minutes, all) in floor.thin.prefix(mostThin)
            where Double(minutes) >= leastThinShare * Double(all) {
                notes.append(
                    "\(floor.floor): near \(receiver.room ?? receiver.path) fewer than 3 receivers are in reach in "
                        + "\(Format.fixed(Double(minutes) / Double(all) * 100, 0)) % of \(all) badge minutes: "
                        + "another receiver there would help")
            }
        }
        for (receiver, minutes) in floor.clocks {
            notes.append(
                "\(receiver.path): its clock seems to be \(abs(minutes)) minutes "
                    + "\(minutes > 0 ? "ahead" : "behind"), judged by subjects that moved between receivers: "
                    + "synchronize it")
        }
        for receiver in floor.disbelieved {
            notes.append(
                "\(receiver.path): not trusted at times, because it reports many subjects that no other receiver "
                    + "on its floor received: check that it is where its configuration says, and has not been "
                    + "tampered with")
        }
        return notes
    }
}
