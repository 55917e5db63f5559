/// Cuts packets that come in the order of a file into windows of at most ten seconds at one place.
struct WindowCutter<Place: Equatable> {
    static var length: Double { 10 }

    private var place: Place?
    /// When the first packet at this place came, and which of its windows is filled.
    private var start = 0.0
    private var index = 0.0
    private var packets: [Packet] = []

    /// The window that is over when this packet comes: at another place, or in another ten seconds since the first
    /// packet there. A time that is earlier than the last begins anew.
    mutating func take(_ packet: Packet, at place: Place) -> (place: Place, packets: [Packet])? {
        var finished: (place: Place, packets: [Packet])?
        let goesOn = self.place == place && packet.time >= (packets.last?.time ?? packet.time)
        if !goesOn {
            finished = finish()
            start = packet.time
            index = 0
        } else {
            let next = ((packet.time - start) / Self.length).rounded(.down)
            if next != index { finished = finish() }
            index = next
        }
        self.place = place
        packets.append(packet)
        return finished
    }

    /// The last window.
    mutating func finish() -> (place: Place, packets: [Packet])? {
        defer { packets = [] }
        guard let place, !packets.isEmpty else { return nil }
        return (place, packets)
    }
}
