/// The two families of RS9116 silicon. The bootloader refuses firmware for the other family (8).
package enum EmulatedFamily: Sendable {
    /// Silicon 1.3 and 1.4, firmware `RS9116W.*.rps`, versions `1610.…`.
    case rs9116w
    /// Silicon 1.5, firmware `RS916W.*.rps`, versions `1611.…`.
    case rs916w
}
