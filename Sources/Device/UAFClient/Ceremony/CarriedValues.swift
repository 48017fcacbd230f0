/// Types of values that machines carry from one effect to the next and never look into.
///
/// Of a description, a sealed message and a link a machine asks what their protocols say, and nothing else.
///
/// The SDK says in `SDKValues` which types they are. So no type of the public face, of Foundation or of the transport
/// stands in a machine.
package protocol CarriedValues {
    /// Secret that the user typed.
    associatedtype Secret: Sendable
    /// Request to the operating system for a finger, a face or the passcode.
    associatedtype Presence: Sendable
    /// Authorization that a server issues with its confirmation.
    associatedtype Authorization: Sendable
    /// Proof that the secret of a key was entered just now.
    associatedtype Opened: Sendable
    /// Description of the device for its first registration.
    associatedtype Description: DeviceDescription
    /// Message that a server encrypted to this device.
    associatedtype Sealed: SealedMessage
    associatedtype Link: RedeemLink
}
