/// Why a parcel was not brought.
package enum DispatchFailure: String, Sendable, Hashable, CaseIterable {
    /// The delivery service does not answer or is overloaded, also after trying again; another try may succeed.
    case unavailable
    /// The delivery service refuses the message or our credentials; trying again does not help.
    case refused
    /// The delivery service does not know the destination any more: the application was removed or the token replaced.
    case unregistered
}
