import Driver

@testable import Checks

Driver.run { start, count in
    Driver.conclude(BTSnoopCheck.violation(for: Array(UnsafeBufferPointer(start: start, count: count))))
}
