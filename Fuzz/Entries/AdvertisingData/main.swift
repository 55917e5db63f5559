import Advertisement
import FuzzDriver

@testable import ParserChecks

Driver.run { start, count in
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let decoded = AdvertisingData.decode(input.span)
    let expected = NaiveDecoder.decode(input)
    let difference = decoded == expected ? nil : "\(decoded) where there is \(expected)"
    return Driver.conclude(AdvertisingDataCheck.violation(for: input) ?? difference)
}
