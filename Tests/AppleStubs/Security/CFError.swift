/// The error of Core Foundation; the stand-in has only its code.
public final class CFError: Sendable {
    let code: Int

    init(code: Int) { self.code = code }
}
