/// What became of a parcel.
package enum DispatchDelivery: Sendable, Hashable {
    /// It is on its way, or, for links and QR codes, in the response.
    ///
    /// The response goes to the initiator as it is: the URL of a link, the base64 of a PNG, the name of a message.
    case delivered(response: String)
    /// It is not.
    case failed(DispatchFailure)
}
