import BeaconModel
import Testing

@testable import Proximity

extension InteractionTrackerTests {
    @Test("After 30 minutes an interaction is closed and continued by another that names it")
    mutating func continued() throws {
        let events = observe(from: 0, to: 1800)
        let closed = try #require(events.dropLast().last)
        let new = try #require(events.last)
        #expect(closed.kind == .ended)
        #expect(closed.time == Sightings.time(1800))
        #expect(closed.interaction.ending == .init(at: Sightings.time(1800), reason: .continued))
        #expect(closed.interaction.number == 1)
        #expect(closed.interaction.samples == 1800)
        #expect(new.kind == .started)
        #expect(new.time == Sightings.time(1800))
        #expect(new.interaction.number == 2)
        #expect(new.interaction.continues == 1)
        #expect(new.interaction.startedAt == Sightings.time(1800))
        #expect(tracker.count == 1)
    }

    @Test("It isn't closed a second before 30 minutes")
    mutating func notYetContinued() {
        #expect(observe(from: 0, to: 1799).allSatisfy { $0.kind != .ended })
    }

    @Test("The continuing interaction begins with fresh sums and keeps the distance")
    mutating func freshSums() throws {
        let events = observe(from: 0, to: 1800)
        let new = try #require(events.last).interaction
        #expect(new.samples == 1)
        #expect(new.rssi == .init(median: -60, minimum: -60, maximum: -60))
        #expect(new.expectedMinutesWithin == Within(threeMetres: 0, sixMetres: 0))
        #expect(new.distance != nil)
        _ = observe(from: 1801, to: 1810) { Sightings.ofBeacon(at: $0, rssi: -50) }
        let later = try #require(tracker.present.first)
        #expect(later.samples == 11)
        #expect(later.rssi == .init(median: -50, minimum: -60, maximum: -50))
    }

    @Test("The minutes of both parts add up to those of the whole")
    mutating func minutesOfParts() throws {
        var events = observe(from: 0, to: 2400) { Sightings.ofBeacon(at: $0, rssi: -20) }
        events += tracker.advance(to: Sightings.time(3000))
        let parts = events.filter { $0.kind == .ended }.map(\.interaction.expectedMinutesWithin.threeMetres)
        #expect(parts.count == 2)
        #expect(abs(parts.reduce(0, +) - 40) < 0.001)
    }

    @Test("The continuing interaction is reported an interval after it began")
    mutating func updateOfContinuing() throws {
        _ = observe(from: 0, to: 1800)
        let events = observe(from: 1801, to: 1830)
        #expect(events.map(\.kind) == [.updated])
        #expect(events.map(\.time) == [Sightings.time(1830)])
        #expect(events.map(\.interaction.continues) == [1])
    }

    @Test("A day is 48 parts, each naming the one before")
    mutating func day() {
        let events = observe(from: 0, to: 86_400, by: 10)
        let starts = events.filter { $0.kind == .started }.map(\.interaction)
        #expect(starts.count == 49)
        #expect(starts.dropFirst().map(\.continues) == starts.dropLast().map(\.number))
    }
}
