package import Matching

/// The contents of a block: the subjects with the receivers that heard them, and the receivers that listened.
package struct BlockContents {
    package let directory: ReceiverDirectory
    package var vectors: [Int64: BlockVectors] = [:]
    private var listening: [Int64: BlockListening] = [:]

    package init(_ directory: ReceiverDirectory) { self.directory = directory }

    /// The receivers by their numbers.
    package var receivers: [Int64: BlockComputation.Receiver] {
        listening.reduce(into: [:]) { receivers, receiver in
            guard let entry = directory[receiver.key] else { return }
            receivers[receiver.key] = .init(entry.place, listening: receiver.value)
        }
    }

    /// Returns how the listening of the given receivers differs from what was known.
    package func change(of receivers: Set<Int64>, from known: [Int64: BlockListening]) -> ListeningChange {
        ListeningChange(from: known, to: self.receivers.filter { receivers.contains($0.key) })
    }

    /// Whether any receiver was deaf in a minute, or had a wrong clock.
    package var isImpaired: Bool { listening.values.contains(where: \.isImpaired) }

    /// Names of the receivers' floors, by the receivers' numbers.
    package var floors: [Int64: String] {
        listening.reduce(into: [:]) { $0[$1.key] = directory[$1.key]?.floor }
    }

    /// Returns the listening receivers of some buildings.
    ///
    /// - Parameter buildings: `site/building`.
    package func receivers(ofBuildings buildings: Set<String>) -> Set<Int64> {
        Set(listening.keys.filter { directory[$0].map { buildings.contains($0.building) } ?? false })
    }

    package func buildings(ofFloors floors: Set<Int64>) -> Set<String> {
        Set(
            listening.keys.compactMap { directory[$0] }.filter { floors.contains($0.place.floor) }.map(\.building))
    }

    /// Drops subjects of a gateway beyond what any gateway can hear, and receivers where a subject has too many. What
    /// is kept is what is compared.
    package mutating func limit() {
        if vectors.count > BlockCeilings.most { limitSubjects() }
        let standings = BlockVectors.Standings(
            listening.keys.reduce(into: [:]) { standings, receiver in
                guard let entry = directory[receiver] else { return }
                standings[receiver] = .init(gateway: entry.place.gateway, order: entry.order)
            })
        for subject in vectors.keys { vectors[subject]?.limit(standings) }
    }

    private mutating func limitSubjects() {
        var ceilings = BlockCeilings()
        for (subject, vectors) in vectors {
            for receiver in vectors.receivers {
                if let gateway = directory[receiver]?.place.gateway { ceilings.add(subject, of: gateway) }
            }
        }
        ceilings.close()
        guard ceilings.isNeeded else { return }
        for (subject, heard) in vectors {
            let kept = heard.receivers.filter { receiver in
                directory[receiver].map { ceilings.admits(subject, of: $0.place.gateway) } ?? true
            }
            if kept.isEmpty {
                vectors[subject] = nil
            } else if kept.count < heard.receivers.count {
                vectors[subject]?.keep(kept)
            }
        }
    }

    private mutating func add(_ receiver: Int64, _ listening: BlockListening) {
        self.listening[receiver, default: BlockListening()].merge(listening)
    }

    package mutating func add(_ row: ReadingRow, receiver: Int64) {
        var listening = BlockListening()
        let minutes = row.minuteNumbers
        for minute in minutes {
            listening.add(seconds: row.listened, clockIsSynchronized: row.clockIsSynchronized, inMinute: minute)
        }
        add(receiver, listening)
        for (subject, code) in row.subjects {
            vectors[subject, default: BlockVectors()].add(Hearing(receiver: receiver, code: code), inMinutes: minutes)
        }
    }

    package mutating func add(_ listening: BlockListening, of receiver: Int64) {
        if directory[receiver] != nil { add(receiver, listening) }
    }

    /// Adds the vectors of a subject.
    package mutating func add(_ value: BlockVectors, of subject: Int64) {
        // There is nearly always nothing to merge with.
        if vectors[subject]?.merge(value) == nil { vectors[subject] = value }
    }
}
