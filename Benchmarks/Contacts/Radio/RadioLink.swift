import Glibc

/// The air between one badge and one receiver, packet by packet.
///
/// Log-distance path loss with the room's own exponent, walls, the wearer's body by the direction in which they look,
/// shadowing that changes with the way and slowly with time (M. Gudmundson, "Correlation model for shadow fading in mobile
/// radio systems", 1991), people who step in between, and multipath fading of each advertising channel by itself: Rice
/// with the line of sight, next to Rayleigh behind walls, which has deep fades and so a heavy tail. A receiver that
/// assumes one exponent and normal noise is wrong about each of these.
struct RadioLink: Sendable {
    private var random: SplitMix
    private var last: Walks.Position?
    private var lastTime = 0.0
    /// Metres that the wearer has walked, as far as packets tell.
    private var travelled = 0.0
    /// dB.
    private var slow = 0.0
    /// Of each channel, with unit variance, and when it was last drawn.
    private var fades: [3 of Fade] = .init(repeating: Fade())
    private var isObstructed = false
    private var obstruction = 0.0
    private var obstructionChanges = 0.0

    private struct Fade: Sendable {
        var re = 0.0
        var im = 0.0
        var time = -1e9
        var travelled = -1e9
    }

    /// Half a wavelength, and how fast a room changes by itself, in seconds.
    private static let fadingLength = 0.06
    private static let fadingTime = 10.0

    init(seed: UInt64) { random = SplitMix(seed: seed, .link) }

    /// What the receiver measures of a packet, in dBm; `nil` when it is too weak.
    ///
    /// - Parameters:
    ///   - time: seconds.
    ///   - channel: 0, 1 or 2 for 37, 38 or 39.
    mutating func rssi(
        _ position: Walks.Position, floor: Int, at time: Double, channel: Int, _ badge: BadgeTraits, _ room: RoomTraits
    ) -> Int8? {
        let radio = room.radio
        let (dx, dy) = (room.x - Double(position.x), room.y - Double(position.y))
        let dz = room.height + room.floorHeight * Double(room.floor - floor)
        let square = dx * dx + dy * dy + dz * dz
        let wall = room.walls[Int(position.room)]
        // 0 towards the receiver, 1 away from it.
        let away = (1 - cos(atan2(dy, dx) - Double(position.facing))) / 2
        let body = badge.body * away * ((dx * dx + dy * dy) / square).squareRoot()
        let mean =
            BadgeTraits.power + badge.offset + room.offset - 5 * room.exponent * log10(max(square, 0.09)) - wall - body
            + room.shared[Int(position.room)]
        // No fading brings that back.
        if mean < radio.sensitivity - 25 { return nil }
        advance(to: position, time, radio, shadowing: room.shadowing)
        let noise = random.normals().0
        let strength =
            mean + slow + fading(channel, time, rice: wall == 0 ? radio.riceInside : radio.riceBehindWalls)
            - (isObstructed ? obstruction : 0) + noise
        guard strength >= radio.sensitivity else { return nil }
        return Int8(max(-127, min(-10, strength.rounded())))
    }

    private mutating func advance(
        to position: Walks.Position, _ time: Double, _ radio: RadioConstants, shadowing: Double
    ) {
        guard let last else {
            slow = shadowing * random.normals().0
            (self.last, lastTime) = (position, time)
            obstructionChanges = time + random.waiting(mean: radio.clear)
            return
        }
        let moved = hypot(Double(position.x - last.x), Double(position.y - last.y))
        travelled += moved
        let kept = exp(-moved / radio.shadowingLength - (time - lastTime) / radio.shadowingTime)
        slow = kept * slow + shadowing * (1 - kept * kept).squareRoot() * random.normals().0
        (self.last, lastTime) = (position, time)
        while obstructionChanges < time {
            isObstructed.toggle()
            obstruction = random.number(in: 3...12)
            obstructionChanges += random.waiting(mean: isObstructed ? radio.obstructed : radio.clear)
        }
    }

    /// dB, with a mean power of 0 dB.
    private mutating func fading(_ channel: Int, _ time: Double, rice: Double) -> Double {
        var fade = fades[channel]
        let kept = exp(-(travelled - fade.travelled) / Self.fadingLength - (time - fade.time) / Self.fadingTime)
        let fresh = (1 - kept * kept).squareRoot()
        let (one, other) = random.normals()
        fade.re = kept * fade.re + fresh * one
        fade.im = kept * fade.im + fresh * other
        (fade.time, fade.travelled) = (time, travelled)
        fades[channel] = fade
        let scattered = (1 / (2 * (rice + 1))).squareRoot()
        let direct = (rice / (rice + 1)).squareRoot()
        let (re, im) = (direct + scattered * fade.re, scattered * fade.im)
        return 10 * log10(max(re * re + im * im, 1e-6))
    }
}
