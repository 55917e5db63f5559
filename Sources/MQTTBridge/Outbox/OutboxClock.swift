import BeaconModel

/// The time by which records in the outbox age: it goes on like the wall clock, without its steps.
///
/// A clock that is set (a box without a battery for it starts somewhere in the past) must neither expire everything at
/// once nor keep it for ever.
struct OutboxClock: Sendable {
    /// More than this between two calls is a step of the clock: they come about once a minute.
    static let longestPause = 3600 * 1_000_000 as Int64
    /// What a step counts as, since nobody knows how long it really was: the usual time between two calls.
    static let stepCountsAs = 60 * 1_000_000 as Int64

    /// Of the latest call, in microseconds since 1970.
    private var wall: Int64
    /// What has to be added to the wall clock's time.
    private(set) var shift: Int64 = 0

    init(_ now: Timestamp) { wall = now.microseconds }

    /// The present time in microseconds. It never goes backwards, and advances by what the wall clock did, but by
    /// `stepCountsAs` when that was more than `longestPause`, and not at all when it went backwards.
    mutating func observe(_ now: Timestamp) -> Int64 {
        let passed = now.microseconds - wall
        if passed > Self.longestPause {
            shift -= passed - Self.stepCountsAs
        } else if passed < 0 {
            shift -= passed
        }
        wall = now.microseconds
        return wall + shift
    }

    /// The wall clock's time of the latest call.
    var latest: Timestamp { Timestamp(microseconds: wall) }

    /// A time of this clock as the wall clock tells it at present.
    func timestamp(_ time: Int64) -> Timestamp { Timestamp(microseconds: time - shift) }
}
