/// Media types of a request and its response, and the expected HTTP status.
struct BodyForm: Sendable {
    let contentType: String
    let accept: String
    let status: Int

    static let uaf = BodyForm(
        contentType: "application/fido+uaf;charset=UTF-8", accept: "application/fido+uaf", status: 200)
    /// Redemption of a token; the response is the UAF request behind it.
    static let token = BodyForm(contentType: "application/json", accept: "application/fido+uaf", status: 200)
    static let json = BodyForm(contentType: "application/json", accept: "application/json", status: 200)
    /// Creation of a dispatch target, the server's record of this device.
    static let newTarget = BodyForm(contentType: "application/json", accept: "application/json", status: 201)
}
