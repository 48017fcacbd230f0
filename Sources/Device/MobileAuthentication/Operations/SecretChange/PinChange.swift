/// Replaces the PIN of a user on this device; no server takes part.
///
/// The old PIN is verified first, and a wrong one counts as a failed attempt. Then a new PIN that is the old one is refused,
/// then the policy looks at the new one. Each refusal asks again; the fifth wrong old PIN in a row locks the authenticator.
public protocol PinChange: Operation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// Who enters the old PIN and chooses the new one.
    @discardableResult
    func pinChanger(_ pinChanger: any PinChanger) -> Self

    /// Called once when the PIN was replaced.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the operation ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (PinChangeError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(PinChangeError)
}
