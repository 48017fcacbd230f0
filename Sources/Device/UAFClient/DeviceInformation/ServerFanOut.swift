/// Responses of the servers of this device.
package struct ServerFanOut<Body: Sendable>: Sendable {
    /// Response of one server.
    package struct Answer: Sendable {
        package let signer: DeviceSnapshot.Target
        package let body: Body

        package init(signer: DeviceSnapshot.Target, body: Body) {
            self.signer = signer
            self.body = body
        }
    }

    /// Failure of one server to answer; without a server when none could be asked.
    package struct Refusal: Sendable {
        package let server: ServerAddress?
        package let refusal: DeviceRefusal

        package init(server: ServerAddress?, refusal: DeviceRefusal) {
            self.server = server
            self.refusal = refusal
        }
    }

    /// Snapshot of this device at the time of the requests.
    package var device: DeviceSnapshot?
    package var answers: [Answer] = []
    package var refusals: [Refusal] = []

    package init() {}
}
