import library.that.is.not.there.Window;

public class Gui extends Window {}
