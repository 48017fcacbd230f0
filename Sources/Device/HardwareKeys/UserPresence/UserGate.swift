/// User verification demanded by a gate; the raw value is what files record.
@nonexhaustive
public enum UserGate: UInt8, Hashable, Sendable {
    /// The passcode of the device (on Linux the password of the account).
    case devicePasscode = 1
    /// A finger or face that is enrolled at the moment.
    case biometryAny = 2
    /// A finger or face, and no change of what is enrolled since the gate was set.
    case biometryCurrentSet = 3
    /// Either of the two, as the user likes.
    case userPresence = 4
}
