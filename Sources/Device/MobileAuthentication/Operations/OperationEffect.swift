/// Something that an operation wants done.
package protocol OperationEffect: Sendable {
    /// Whether a canceled operation still has to do it: cleaning up, and remembering what the server has confirmed.
    var outlivesCancellation: Bool { get }
}
