import BeaconModel
import FloorPlans
import MatcherCore
import Matching
import Pages
import Testing

@testable import MatcherDaemon

@Suite("What the page of a floor shows") struct FloorViewTests {
    private static let plan = FloorPlan(
        site: "campus", building: "hb", floor: "2", name: "Level 2", outline: square(0, 20),
        rooms: [.init(name: "HB 2.11", polygon: square(0, 10))])

    private static func square(_ from: Double, _ to: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: from, y: 0), PlanPoint(x: to, y: 0), PlanPoint(x: to, y: 10), PlanPoint(x: from, y: 10),
        ])
    }

    private static let anna = SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1")
    private static let other = SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2")

    private func person(
        _ subject: SubjectIdentity?, _ place: LivePosition.Place, view: LiveAccess.View = .identities
    ) throws -> LivePositionDocument {
        LivePositionDocument(
            LivePosition(
                subject: try #require(subject), floor: Self.plan.path, place: place, probability: 0.9,
                position: place == .conflicting ? nil : PlanPoint(x: 3, y: 4), radius: 1.5, since: 0, heardAt: 10),
            key: "k", view: view, clock: { Int64($0) })
    }

    private func view(
        _ people: [LivePositionDocument], names: [SubjectIdentity: String]? = nil,
        receivers: [FloorDocument.Receiver] = []
    ) -> FloorView { FloorView(plan: Self.plan, receivers: receivers, people: people, names: names) }

    @Test("Everybody is in one row: the room, between rooms, or not certain")
    func rows() throws {
        let people = [
            try person(Self.anna, .room("HB 2.11")), try person(Self.other, .between(["HB 2.11", "corridor"])),
            try person(Self.other, .floor), try person(Self.other, .room("a room of another plan")),
            try person(Self.other, .conflicting),
        ]
        let anna = try #require(Self.anna)
        let rows = view(people, names: [anna: "Anna Smith (17)"]).rows
        #expect(rows.map(\.key) == ["room:HB 2.11", "between", "conflicting"])
        #expect(rows.map(\.count) == [1, 3, 1])
        #expect(rows.first?.people == "Anna Smith (17)")
        #expect(rows.last?.people == "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2")
    }

    @Test("Readers who see no identities see dots without names")
    func dots() throws {
        let shown = view([try person(Self.anna, .room("HB 2.11"), view: .dots)])
        #expect(shown.rows.map(\.people) == ["", "", ""])
        #expect(shown.picture.contains("<circle class=\"mark person\" cx=\"3\" cy=\"4\""))
        #expect(shown.picture.contains("<circle class=\"uncertainty person\" cx=\"3\" cy=\"4\" r=\"1.5\" clip-path"))
        #expect(!shown.picture.contains("mark-label"))
        #expect(!shown.picture.contains("e2c56db5"))
    }

    @Test("Receivers have their state on the map and in words")
    func receivers() {
        let receivers = [
            FloorDocument.Receiver(
                path: "campus/hb/2/east", position: .init(x: 1, y: 1, z: 2), room: "HB 2.11", isHeard: true),
            FloorDocument.Receiver(
                path: "campus/hb/2/west", position: .init(x: 9, y: 1, z: 2), room: nil, isHeard: false),
            FloorDocument.Receiver(path: "campus/hb/2/west/door", position: nil, room: nil, isHeard: nil),
        ]
        let shown = view([], receivers: receivers)
        #expect(
            shown.receiverRows.map(\.state.words) == [
                "heard now", "not heard", "not known while live positions are off",
            ])
        #expect(shown.receiverRows.map(\.name) == ["east", "west", "west/door"])
        #expect(shown.receiverRows.last?.location == "room not named, position not known: it is not on the map")
        #expect(shown.picture.contains("class=\"receiver good\" data-receiver=\"campus/hb/2/east\""))
        #expect(shown.picture.contains("class=\"receiver bad\" data-receiver=\"campus/hb/2/west\""))
        #expect(shown.picture.contains("<title>west: not heard</title>"))
    }

    @Test("A receiver that is heard is not all well while one of its modules has a problem")
    func modules() {
        let receivers = ["east", "west"].map {
            FloorDocument.Receiver(
                path: "campus/hb/2/\($0)", position: .init(x: 1, y: 1, z: 2), room: nil, isHeard: true)
        }
        var shown = view([], receivers: receivers)
        shown.modules = [
            .init(gateway: "campus/hb/2/east", name: "desk", state: "advertising"),
            .init(gateway: "campus/hb/2/east", name: "door", state: "failed"),
            .init(gateway: "campus/hb/2/west", name: "desk", state: "advertising"),
        ]
        #expect(
            shown.receiverRows.map(\.state.words) == [
                "heard now, module door failed", "heard now", "advertising", "failed", "advertising",
            ])
        #expect(shown.receiverRows.last?.name == "module desk")
        #expect(shown.receiverRows.last?.location == "at gateway west")
        #expect(shown.picture.contains("class=\"receiver warn\" data-receiver=\"campus/hb/2/east\""))
        shown.modules = [.init(gateway: "campus/hb/2/west", name: "desk", state: nil)]
        #expect(shown.receiverRows.map(\.state.kind) == ["good", "warn", ""])
    }

    @Test("A floor that is not heard says what its map means")
    func doubts() {
        #expect(FloorView.doubt(isSilent: false, lastHeard: nil).hasPrefix("Not all rooms"))
        #expect(
            FloorView.doubt(isSilent: true, lastHeard: "Mon 2026-11-02 14:03")
                == "Stale since Mon 2026-11-02 14:03. The receivers of this floor are not heard: "
                + "an empty map means nothing."
        )
    }
}
