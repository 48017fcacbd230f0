/// What is posted, what is expected back, and with which HTTP status.
struct BodyForm: Sendable {
    let contentType: String
    let accept: String
    let status: Int

    /// Messages of the UAF services.
    static let uaf = BodyForm(
        contentType: "application/fido+uaf;charset=UTF-8", accept: "application/fido+uaf", status: 200)
    /// A token, for the request behind it (`backend-http-api` 2.5).
    static let token = BodyForm(contentType: "application/json", accept: "application/fido+uaf", status: 200)
    /// A new record of this device (`backend-http-api` 2.3.1).
    static let newTarget = BodyForm(contentType: "application/json", accept: "application/json", status: 201)
}
