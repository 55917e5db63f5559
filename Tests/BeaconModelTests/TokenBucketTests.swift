import Testing

@testable import BeaconModel

@Suite("TokenBucket")
struct TokenBucketTests {
    @Test("A burst is let through, then one an interval; and it says how long it takes")
    func burst() {
        var bucket = TokenBucket(interval: .seconds(6), burst: 2)
        #expect(bucket.take(at: .zero) == nil)
        #expect(bucket.take(at: .zero) == nil)
        #expect(bucket.take(at: .seconds(1)) == .seconds(5))
        #expect(bucket.take(at: .seconds(6)) == nil)
        #expect(bucket.take(at: .seconds(6)) == .seconds(6))
    }

    @Test("A pause fills it no more than to the burst")
    func pause() {
        var bucket = TokenBucket(interval: .seconds(1), burst: 3)
        let taken = (0..<10).count { _ in bucket.take(at: .seconds(1000)) == nil }
        #expect(taken == 3)
    }

    @Test("Several tokens at once take as many intervals, and more than the burst never come")
    func several() {
        var bucket = TokenBucket(interval: .seconds(1), burst: 10)
        #expect(bucket.take(8, at: .zero) == nil)
        #expect(bucket.take(5, at: .zero) == .seconds(3))
        #expect(bucket.take(5, at: .seconds(3)) == nil)
        #expect(bucket.take(11, at: .seconds(1000)) == .seconds(1))
        #expect(bucket.take(0, at: .seconds(3)) == nil)
    }

    // 60 - 50 leave 10 of the 20; 60 - 100 leave -40, and 1 is there again after 41 seconds.
    @Test("With debt, half of a full bucket is enough for any number")
    func debt() {
        var bucket = TokenBucket(interval: .seconds(1), burst: 60)
        #expect(bucket.take(50, at: .zero, allowsDebt: true) == nil)
        #expect(bucket.take(20, at: .zero, allowsDebt: true) == .seconds(10))
        #expect(bucket.take(10, at: .zero, allowsDebt: true) == nil)
        var other = TokenBucket(interval: .seconds(1), burst: 60)
        #expect(other.take(100, at: .zero, allowsDebt: true) == nil)
        #expect(other.take(at: .zero) == .seconds(41))
        #expect(other.take(0, at: .zero) == .seconds(40))
        var small = TokenBucket(interval: .seconds(1), burst: 1)
        #expect(small.take(5, at: .zero, allowsDebt: true) == nil)
        #expect(small.take(at: .seconds(4)) == .seconds(1))
    }

    @Test("A token that is given back can be taken again, and none comes on top of a full bucket")
    func givenBack() {
        var bucket = TokenBucket(interval: .seconds(1), burst: 2)
        bucket.giveBack()
        let first = (0..<5).count { _ in bucket.take(at: .zero) == nil }
        #expect(first == 2)
        bucket.giveBack()
        let second = (0..<5).count { _ in bucket.take(at: .zero) == nil }
        #expect(second == 1)
    }

    @Test("What is drained comes again at the rate")
    func drained() {
        var bucket = TokenBucket(perSecond: 10, burst: 8)
        for _ in 0..<4 { bucket.drain(at: .zero) }
        #expect(bucket.holds(4, at: .zero))
        #expect(!bucket.holds(5, at: .zero))
        #expect(bucket.holds(5, at: .milliseconds(100)))
        #expect(!bucket.holds(6, at: .milliseconds(100)))
        #expect(!bucket.isFull(at: .milliseconds(399)))
        #expect(bucket.isFull(at: .milliseconds(400)))
    }

    @Test("No more can be drained than it holds")
    func empty() {
        var bucket = TokenBucket(perSecond: 10, burst: 8)
        for _ in 0..<1000 { bucket.drain(at: .zero) }
        #expect(bucket.holds(0, at: .zero))
        #expect(!bucket.holds(1, at: .zero))
        #expect(bucket.isFull(at: .milliseconds(800)))
    }

    @Test("The depth need not be whole tokens")
    func depth() {
        var bucket = TokenBucket(interval: .milliseconds(400), depth: .seconds(1))
        let taken = (0..<10).count { _ in bucket.take(at: .zero) == nil }
        #expect(taken == 2)
        #expect(bucket.wait(forWhatComesIn: .milliseconds(400), at: .zero) == .milliseconds(200))
        #expect(bucket.wait(forWhatComesIn: .seconds(5), at: .zero) == .milliseconds(800))
        #expect(bucket.wait(forWhatComesIn: .seconds(5), at: .seconds(10)) == .zero)
    }

    @Test("A clock that goes back gives nothing away")
    func back() {
        var bucket = TokenBucket(interval: .seconds(1), burst: 1)
        #expect(bucket.take(at: .seconds(10)) == nil)
        #expect(bucket.take(at: .seconds(5)) == .seconds(6))
        #expect(bucket.take(at: .seconds(11)) == nil)
    }

    @Test("No interval, number or time overflows")
    func hostile() {
        let times: [Duration] = [
            .zero, .seconds(-1), Duration(secondsComponent: .max, attosecondsComponent: 0),
            Duration(secondsComponent: .min, attosecondsComponent: 0),
        ]
        for interval in times {
            for burst in [Int.min, -1, 0, 1, .max] {
                var bucket = TokenBucket(interval: interval, burst: burst)
                for now in times + times.reversed() {
                    for count in [Int.min, 0, 1, .max] {
                        _ = bucket.take(count, at: now, allowsDebt: true)
                        _ = bucket.take(count, at: now)
                        _ = bucket.holds(count, at: now)
                        bucket.drain(at: now)
                        bucket.giveBack()
                    }
                    _ = bucket.wait(forWhatComesIn: now, at: now)
                }
                #expect(bucket.interval > .zero && bucket.depth >= bucket.interval)
            }
            let bucket = TokenBucket(interval: interval, depth: interval)
            #expect(bucket.interval > .zero && bucket.depth >= bucket.interval)
        }
    }
}

@Suite("KeyedTokenBuckets")
struct KeyedTokenBucketsTests {
    @Test("Each key has a bucket of its own")
    func keys() {
        var buckets = KeyedTokenBuckets<String>(TokenBucket(interval: .seconds(1), burst: 2), capacity: 10)
        #expect(buckets.take(2, of: "a", at: .zero) == nil)
        #expect(buckets.take(of: "a", at: .zero) == .seconds(1))
        #expect(buckets.take(of: "b", at: .zero) == nil)
        buckets.giveBack("a")
        #expect(buckets.take(of: "a", at: .zero) == nil)
        #expect(buckets.count == 2)
    }

    @Test("A key that is used isn't forgotten, however many others come")
    func used() {
        var buckets = KeyedTokenBuckets<Int>(TokenBucket(interval: .seconds(1), burst: 1), capacity: 10)
        #expect(buckets.take(of: -1, at: .zero) == nil)
        for other in 0..<1000 {
            _ = buckets.take(of: other, at: .zero)
            #expect(buckets.take(of: -1, at: .zero) == .seconds(1))
        }
    }

    @Test("Keys that never come again aren't remembered for ever")
    func forgotten() {
        var buckets = KeyedTokenBuckets<Int>(TokenBucket(interval: .seconds(1), burst: 1), capacity: 100)
        for key in 0..<10_000 { _ = buckets.take(of: key, at: .zero) }
        #expect(buckets.count <= 200)
        #expect(buckets.take(of: 0, at: .zero) == nil)
        buckets.giveBack(-1)
        #expect(buckets.count <= 200)
    }
}
