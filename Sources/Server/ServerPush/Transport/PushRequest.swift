/// One request to the push service or to its token service.
struct PushRequest: Sendable {
    let url: String
    let contentType: String
    /// The value of `Authorization`; nil for none.
    let authorization: String?
    let body: [UInt8]
}
