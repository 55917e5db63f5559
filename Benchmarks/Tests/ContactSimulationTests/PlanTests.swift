import Testing

@testable import ContactsBenchmark

@Suite("Buildings made of plans") struct PlanTests {
    @Test(arguments: World.Name.allCases) func `The point in the middle of a room is in that room`(world: World.Name) {
        let building = Building(World(world).plan, desks: 0, floors: 2)
        #expect(building.rooms.count == 2 * building.roomsPerFloor)
        for (index, room) in building.rooms.enumerated() {
            #expect(building.room(x: room.middle.x, y: room.middle.y, floor: room.floor) == index)
            #expect(room.x.upperBound <= building.plan.length + 1e-9)
        }
    }

    @Test(arguments: World.Name.allCases) func `Everybody sits in the room that the seat belongs to`(world: World.Name)
    {
        let building = Building(World(world).plan, desks: 0, floors: 2)
        var seats = 0
        for (index, room) in building.rooms.enumerated() {
            for seat in room.seats {
                #expect(building.room(x: seat.x, y: seat.y, floor: seat.floor) == index)
                seats += 1
            }
        }
        #expect(seats > 50)
    }

    // In the north halls of 20 by 12 and 24 by 16 m and a seminar room; in the south the canteen, a hall and two seminar rooms.
    @Test func `Walls are counted along one side and across the corridor`() {
        let building = Building(.halls, desks: 0)
        #expect(building.walls(between: 1, and: 2) == 1)
        #expect(building.walls(between: 1, and: 3) == 2)
        #expect(building.walls(between: 0, and: 3) == 1)
        // Over the corridor, past the middles of no other room and of two, half of which count.
        #expect(building.walls(between: 1, and: 4) == 2)
        #expect(building.walls(between: 1, and: 7) == 3)
    }

    // The larger hall is 24 m wide from 20 m on: 26 and 38 m are the middles of its halves.
    @Test func `Two gateways of a hall hang in the middle of its halves`() throws {
        let building = Building(.halls, desks: 0)
        let gateways = building.gateways.filter { $0.room == 2 }
        #expect(gateways.map(\.x) == [26, 38] && gateways.map(\.y) == [12, 12])
        #expect(Set(building.gateways.map(\.number)).count == building.gateways.count)
        #expect(gateways.map(\.number) == [2, 10_002])
    }

    @Test func `Modules are remote receivers of the gateway in their floor's corridor`() {
        let modules = Building(.offices, desks: 0, floors: 2, .modules)
        #expect(modules.gateways.filter { $0.receiverOf == nil }.map(\.number) == [0, 10])
        #expect(modules.gateways.compactMap(\.receiverOf).count == 9)
        #expect(modules.gateways.allSatisfy { $0.receiverOf ?? $0.number == 10 * $0.floor })
    }

    // 10 rooms a floor.
    @Test func `Density takes gateways away, and leaves the others as they are`() {
        let all = Building(.offices, desks: 0, floors: 2)
        let half = Building(.offices, desks: 0, floors: 2, .everySecondRoom)
        let few = Building(.offices, desks: 0, floors: 2, .onePerFloor)
        #expect(all.gateways.count == 20 && half.gateways.count == 10 && few.gateways.count == 2)
        #expect(few.gateways.map(\.room) == [0, 10])
        #expect((all.gateways + half.gateways + few.gateways).allSatisfy { $0.receiverOf == nil })
        #expect(half.gateways.map(\.number) == [0, 2, 4, 6, 8, 11, 13, 15, 17, 19])
        for building in [half, few] {
            #expect(building.gateways.allSatisfy { one in all.gateways.contains { $0.number == one.number } })
        }
    }

    @Test func `There are as many floors as desks and options ask for`() {
        #expect(Building(people: 36).floors == 1)
        #expect(Building(people: 37).floors == 2)
        #expect(Building(.offices, desks: 37, floors: 5).floors == 5)
        #expect(Building(.thinWalls, desks: 120).floors == 4)
    }

    // 1 to 3 dB a wall, and 6 dB.
    @Test func `Walls take what the world says`() {
        let thin = Building(.thinWalls, desks: 0)
        let traits = RoomTraits(thin, thin.gateways[1], .thinWalls, seed: 5)
        #expect(traits.walls[1] == 0)
        #expect((1...3).contains(traits.walls[2]) && (2...6).contains(traits.walls[3]))
        let halls = Building(.halls, desks: 0)
        #expect(RoomTraits(halls, halls.gateways[2], .halls, seed: 5).walls[2] == 6)
    }

    @Test func `Nothing is shared where each link has its own shadowing, and all of it where it has none`() {
        let building = Building(people: 20)
        var radio = RadioConstants()
        let own = RoomTraits(building, building.gateways[1], radio, seed: 5)
        radio.sharedShadowing = 1
        let shared = RoomTraits(building, building.gateways[1], radio, seed: 5)
        #expect(own.shared.allSatisfy { $0 == 0 } && (3...5).contains(own.shadowing))
        #expect(shared.shadowing == 0 && shared.shared.allSatisfy { $0 != 0 && abs($0) < 20 })
        #expect(own.walls == shared.walls)
    }
}
