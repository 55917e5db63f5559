import Glibc
import Testing

@testable import Localisation

@Suite("Numbers of eight cells")
struct CellsTests {
    @Test("the approximate logarithm and exponential are exact to a millionth")
    func functions() {
        for exponent in stride(from: -80.0, through: 0, by: 0.37) {
            let exact = exp(Double(Float(exponent)))
            let found = Double(Cells(repeating: Float(exponent)).approximateExponential()[3])
            #expect(abs(found - exact) <= 2e-6 * exact)
            let logarithm = Double(Cells(repeating: Float(exact)).approximateLogarithm()[5])
            #expect(abs(logarithm - log(Double(Float(exact)))) < 1e-5 * max(1, abs(exponent)))
        }
        #expect(Cells(repeating: -100).approximateExponential()[0] == 0)
        #expect(Cells(repeating: -.infinity).approximateExponential()[0] == 0)
    }
}
