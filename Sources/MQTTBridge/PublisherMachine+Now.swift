import Publishing
import SystemIO

extension PublisherMachine.Moment {
    /// Reads the clocks of this machine.
    static func now() -> Self { Self(instant: .now, wall: WallClock.now()) }
}
