import PictureReading
import ResultPictures
import TestSupport
import TestValues
import Testing

@Suite("Reading of pictures", .timeLimit(.minutes(5))) struct PictureReaderTests {
    /// `HTTPS://LAB.EXAMPLE/R/AB12`
    static let code = [
        "#######.##....##..#######", "#.....#..##.......#.....#", "#.###.#..#..#.###.#.###.#",
        "#.###.#.####....#.#.###.#", "#.###.#.####..###.#.###.#", "#.....#.##.#......#.....#",
        "#######.#.#.#.#.#.#######", "........###.##...........", "#...#.###..#.#.#.#####..#",
        "##.....##...###..##.##...", "..#.####.##.....#.#.#.#..", ".#..##..###...#.##..#.###",
        "##.#.##...#..#####.#.....", "###.#....##.#..#...###...", "...#######.#####..####.##",
        "..#.....####.#..##...##..", "###..##...#.##..#######.#", "........#....##.#...####.",
        "#######.#.#....##.#.#.##.", "#.....#..##.#.#.#...#....", "#.###.#.#..#.##.######.#.",
        "#.###.#..#..#..#.####...#", "#.###.#...#####.##.#...#.", "#.....#..###.#.#...###.##",
        "#######.#...##..##.#.##.#",
    ]

    @Test("A QR code is read") func qrCode() async throws {
        let picture = try StrippedPicture(PNGFile(squares: Self.code, side: 8).bytes)
        let readout = try await PictureReader().read(picture, latest: 20_000)
        #expect(readout.codes == [PictureCode("HTTPS://LAB.EXAMPLE/R/AB12")])
        #expect(readout.header == PictureHeader(format: .png, width: 264, height: 264))
        #expect(readout.suggestion.outcome == nil)
    }

    @Test("Pictures that come at once are read one after the other, and too many are refused") func several()
        async throws
    {
        let picture = try StrippedPicture(PNGFile(squares: Self.code, side: 8).bytes)
        let reader = PictureReader()
        let found = await withTaskGroup(of: Result<PictureReadout, any Error>.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    do {
                        return .success(try await reader.read(picture, latest: 20_000))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<PictureReadout, any Error>] = []
            for await result in group { results.append(result) }
            return results
        }
        // One is read, eight wait.
        #expect(found.count(where: { (try? $0.get())?.codes.count == 1 }) >= 9)
        for result in found {
            if case .failure(let error) = result { #expect(error as? PictureReadingError == .busy) }
        }
    }

    @Test("A picture whose pixels are damaged gives nothing") func damagedPixels() async throws {
        var file = PNGFile(squares: Self.code, side: 8)
        file.chunks[1] = PNGFile.chunk("IDAT", Array(repeating: 0x55, count: 1000))
        let readout = try await PictureReader().read(StrippedPicture(file.bytes), latest: 20_000)
        #expect(readout.codes == [] && readout.suggestion.isEmpty && readout.isIncomplete)
    }

    @Test("Little data with many pixels is read within the limits") func manyPixels() async throws {
        // 40 million white pixels of one bit.
        var file = PNGFile(squares: [], side: 1)
        file.chunks[0] = PNGFile.header(width: 20_000, height: 2000, depth: 1)
        let start = ContinuousClock.now
        let readout = try await PictureReader().read(StrippedPicture(file.bytes), latest: 20_000)
        #expect(readout.suggestion.isEmpty)
        #expect(ContinuousClock.now - start < .seconds(60))
    }
}
