/// The error of Core Foundation; the sources never make one.
public final class CFError: Sendable {
    private init() {}
}
