// Asks once more before something is done that a slip of the hand should not do.

const dialog = document.getElementById("confirmation");
const question = document.getElementById("confirmation-question");
const yes = dialog.querySelector(".yes");

// Whether the person says yes to `text`, on a button that says `word`. Only one question is asked at a time.
export function confirmed(text, word) {
  question.textContent = text;
  yes.textContent = word;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

yes.addEventListener("click", () => dialog.close("yes"));
dialog.querySelector(".close").addEventListener("click", () => dialog.close(""));
