/// The error of Core Foundation; nobody makes one.
public final class CFError: Sendable {
    private init() {}
}
