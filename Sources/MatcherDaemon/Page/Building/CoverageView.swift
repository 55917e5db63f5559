import FloorPlans
import Localisation
import Pages

/// Coverage as the page of a floor shows it. Pure.
struct CoverageView {
    var coverage: FloorCoverage
    var plan: FloorPlan
    var settings = RadioSettings()

    /// Sentence that is shown while the coverage is not known.
    static let unknown =
        "Where badges are heard is not known yet. It is computed while live positions are on, once the position of a "
        + "receiver is known. Try again in a minute."

    /// Coverage of a square.
    enum Hearing: String, CaseIterable {
        case heard
        /// At times: a receiver misses it as often as it hears it, or more often.
        case faint
        case unheard
    }

    /// Level in dBm below which a badge is heard at times only: in the middle between surely heard and surely not.
    private var faintBelow: Double { (settings.surelyHeard + settings.surelyUnheard) / 2 }

    private func hearing(_ square: FloorCoverage.Square) -> Hearing {
        guard let level = square.level, level >= settings.surelyUnheard else { return .unheard }
        return level < faintBelow ? .faint : .heard
    }

    /// Shades of the map.
    var shades: [FloorPlanDrawing.Shade] {
        [Hearing.faint, .unheard].map { kind in
            var strips: [FloorPlanDrawing.Shade.Strip] = []
            for square in coverage.squares where hearing(square) == kind {
                if let last = strips.last, last.corner.y == square.corner.y,
                    abs(last.corner.x + Double(last.count) * coverage.side - square.corner.x) < coverage.side / 2
                {
                    strips[strips.count - 1].count += 1
                } else {
                    strips.append(.init(corner: square.corner, count: 1))
                }
            }
            return FloorPlanDrawing.Shade(kind: kind.rawValue, strips: strips, side: coverage.side)
        }
    }

    /// Share of the floor that is heard, in a sentence.
    var sentence: String {
        let counts = counts(coverage.squares)
        guard let all = counts.all else { return "The floor has no area." }
        if coverage.squares.allSatisfy({ $0.level == nil }) {
            return "No receiver with a known position is in the building, so a badge would be heard nowhere."
        }
        if counts[.heard] == all { return "A badge would be heard everywhere on this floor." }
        return "A badge would not be heard on \(percent(counts[.unheard], of: all)) of the floor, and at times only on "
            + "\(percent(counts[.faint], of: all))."
    }

    /// The same for each room, those that are heard least first.
    var rows: [FloorPage.CoverageRow] {
        var rooms = plan.rooms.indices.map { (name: plan.rooms[$0].name, squares: [FloorCoverage.Square]()) }
        var others: [FloorCoverage.Square] = []
        for square in coverage.squares {
            if let room = square.room, rooms.indices.contains(room) {
                rooms[room].squares.append(square)
            } else {
                others.append(square)
            }
        }
        if !others.isEmpty { rooms.append((name: "Between rooms", squares: others)) }
        let counted = rooms.map { (name: $0.name, counts: counts($0.squares)) }
        return counted.sorted {
            ($0.counts.unheardShare, $0.counts.faintShare) > ($1.counts.unheardShare, $1.counts.faintShare)
        }
        .map { name, counts in
            guard let all = counts.all else {
                return FloorPage.CoverageRow(room: name, unheard: "too small", faint: "too small", tag: nil)
            }
            let tag =
                counts[.unheard] > 0
                ? StateTag("not heard everywhere", .bad)
                : counts[.faint] > 0 ? StateTag("heard at times in parts", .warn) : StateTag("heard", .good)
            return FloorPage.CoverageRow(
                room: name, unheard: percent(counts[.unheard], of: all), faint: percent(counts[.faint], of: all),
                tag: tag)
        }
    }

    /// Numbers of squares by how badges are heard there.
    private struct Counts {
        var numbers: [Hearing: Int] = [:]

        subscript(hearing: Hearing) -> Int { numbers[hearing] ?? 0 }

        /// Number of all; `nil` if there are none.
        var all: Int? {
            let sum = numbers.values.reduce(0, +)
            return sum > 0 ? sum : nil
        }

        var unheardShare: Double { all.map { Double(self[.unheard]) / Double($0) } ?? 0 }
        var faintShare: Double { all.map { Double(self[.faint]) / Double($0) } ?? 0 }
    }

    private func counts(_ squares: [FloorCoverage.Square]) -> Counts {
        squares.reduce(into: Counts()) { $0.numbers[hearing($1), default: 0] += 1 }
    }

    /// Returns a share in percent. A share that is not 0 is not shown as 0.
    private func percent(_ part: Int, of all: Int) -> String {
        guard part > 0, all > 0 else { return "0 %" }
        let share = Double(part) * 100 / Double(all)
        return share < 1 ? "less than 1 %" : "\(Int(share.rounded())) %"
    }
}
